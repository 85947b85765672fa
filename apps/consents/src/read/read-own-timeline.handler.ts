import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import { type OwnConsentEvent, readOwnConsentTimeline } from '@xs2a/contracts/sandbox/own-consents.contract';
import { maxTimelineEvents, type TimelineEvent } from '@xs2a/contracts/timeline.contract';
import type { ConsentEventType } from '@xs2a/domain/consent/consent-events';
import type { ConsentStatus } from '@xs2a/domain/consent/consent-state';
import { readTimeline } from '@xs2a/resources/timeline';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { Consents, ofTpp } from '../store/consents.js';

type Member = Exclude<keyof OwnConsentEvent, 'time' | 'type' | 'status'>;

/** The members of each event that its TPP sees. */
const shown: Readonly<Record<ConsentEventType, readonly Member[]>> = {
  created: [],
  'authorisation-started': ['authorisationId'],
  grouped: ['basketId'],
  ungrouped: ['basketId'],
  'partly-authorised': ['authorisationId'],
  authorised: ['authorisationId'],
  rejected: ['authorisationId', 'reason'],
  'terminated-by-tpp': [],
  'revoked-by-psu': [],
  expired: ['reason'],
  'first-used': [],
};
const membersOf = new Map<string, readonly Member[]>(Object.entries(shown));

/** A TPP in the sandbox reads the history of its consent (contract 13). */
export class ReadOwnTimeline extends QueryOf(readOwnConsentTimeline) {}

@QueryHandler(ReadOwnTimeline)
export class ReadOwnTimelineHandler implements IQueryHandler<ReadOwnTimeline> {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly consents: Consents,
  ) {}

  async execute({
    request: { consentId, tppId },
  }: ReadOwnTimeline): Promise<AnswerOf<typeof readOwnConsentTimeline>> {
    await this.consents.read(consentId, ofTpp(tppId));
    const stream = await readTimeline(this.pool, 'consents', consentId, maxTimelineEvents);
    const { events, leftOut } = stream ?? { events: [], leftOut: 0 };
    return { events: events.flatMap(toOwnEvent), leftOut };
  }
}

/** Returns nothing for an event of a later release. */
const toOwnEvent = ({ at, type, status, data }: TimelineEvent): OwnConsentEvent[] => {
  const members = membersOf.get(type);
  if (members === undefined) return [];
  const own = Object.fromEntries(members.flatMap((name) => (name in data ? [[name, data[name]]] : [])));
  return [{ time: at, type, status: (status as ConsentStatus | null) ?? undefined, ...own }];
};
