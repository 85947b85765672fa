import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import {
  listWaitingConsents,
  maxWaiting,
  type WaitingApprovals,
} from '@xs2a/contracts/console/waiting-approvals.contract';
import { newestWaiting, readWaiting } from '@xs2a/resources/waiting';
import { Clock } from '@xs2a/runtime/clock';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { CONSENT_STORE, type ConsentStore } from '../store/consent-store.js';

/** The status view with the waiting consents, in which `readWaiting` searches. */
export const consentRows = { view: 'consent_view', kindOf: () => 'consent' as const };

/**
 * The query for the consents that wait for the approval of a PSU. Only the console sends it, after it has recorded which member of the
 * staff asks and why.
 */
export class ListWaiting extends QueryOf(listWaitingConsents) {}

@QueryHandler(ListWaiting)
export class ListWaitingHandler implements IQueryHandler<ListWaiting> {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(CONSENT_STORE) private readonly consents: ConsentStore,
    private readonly clock: Clock,
  ) {}

  async execute({ request: { psuId } }: ListWaiting): Promise<WaitingApprovals> {
    const asked = { pool: this.pool, psuId, now: this.clock.now(), limit: maxWaiting + 1 };
    const found = await readWaiting(asked, consentRows, this.consents);
    return newestWaiting([found], maxWaiting);
  }
}
