import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { mustBeId } from '@xs2a/calls/checks';
import { QueryOf } from '@xs2a/calls/handlers';
import {
  type ConsentFacts,
  maxTimelineEvents,
  readConsentTimeline,
  type Timeline,
} from '@xs2a/contracts/timeline.contract';
import type { Profile } from '@xs2a/domain/profile/profile';
import { readTimeline } from '@xs2a/resources/timeline';
import { Clock } from '@xs2a/runtime/clock';
import { POOL, PROFILE } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { CONSENT_STORE, type ConsentStore } from '../store/consent-store.js';
import { unattendedLeft } from './unattended-left.js';

/** The console's page of a consent. */
export class ReadTimeline extends QueryOf(readConsentTimeline) {}

@QueryHandler(ReadTimeline)
export class ReadTimelineHandler implements IQueryHandler<ReadTimeline> {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(CONSENT_STORE) private readonly store: ConsentStore,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  async execute({ request: { id } }: ReadTimeline): Promise<{ readonly timeline?: Timeline<ConsentFacts> }> {
    mustBeId(id);
    const stream = await readTimeline(this.pool, 'consents', id, maxTimelineEvents);
    const consent = stream && (await this.store.load(id));
    if (stream === undefined || consent === undefined) return {};
    const { tppId, recurringIndicator: recurring, validUntil, frequencyPerDay } = consent.state;
    const moment = { now: this.clock.now(), today: this.clock.date(this.profile.timeZone) };
    const unattended = await unattendedLeft(this.pool, id, consent.state, moment);
    const facts = { kind: 'consent', recurring, validUntil, frequencyPerDay, unattended } as const;
    return { timeline: { tppId, facts, ...stream } };
  }
}
