import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import { listPsuConsents } from '@xs2a/contracts/consents.contract';
import { streamKeyOf } from '@xs2a/event-store/encryption/stream-keys';
import type { StateRow } from '@xs2a/event-store/streams/view-state';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { BankAccounts } from '../authorise/bank-accounts.js';
import { corporateHolder, psuHolder } from '../store/holders.js';
import { Consents } from '../store/consents.js';
import { CONSENT_STORE, type ConsentStore } from '../store/consent-store.js';
import { LastUsed } from '../access/last-used.js';

type Answer = AnswerOf<typeof listPsuConsents>;

/** The page `/sca/apps`, which lists a PSU's consents (contract 12). */
export class ListPsuConsents extends QueryOf(listPsuConsents) {}

/**
 * Lists the consents that were ever authorised by the PSU, or by a corporate for which the PSU signs, newest
 * first, at most 100.
 */
@QueryHandler(ListPsuConsents)
export class ListPsuConsentsHandler implements IQueryHandler<ListPsuConsents> {
  constructor(
    private readonly consents: Consents,
    @Inject(CONSENT_STORE) private readonly store: ConsentStore,
    private readonly lastUsed: LastUsed,
    private readonly bank: BankAccounts,
    @Inject(POOL) private readonly pool: Pool,
  ) {}

  async execute({ request: { psuId } }: ListPsuConsents): Promise<Answer> {
    await this.lastUsed.write();
    const holders = [psuHolder(psuId), ...(await this.bank.listCorporates(psuId)).map(corporateHolder)];
    const { rows } = await this.pool.query<StateRow & { last_used_at: Date | null; recent: Date[] | null }>({
      name: 'consents-of-psu',
      text: `SELECT v.stream_id, v.version, v.state, ${streamKeyOf('v')} AS stream_key, used.last_used_at, used.recent
        FROM consent_view v LEFT JOIN consent_use used ON used.consent_id = v.stream_id
        WHERE v.holder = ANY ($1)
          AND v.status IN ('partiallyAuthorised', 'valid', 'revokedByPsu', 'terminatedByTpp', 'expired')
        ORDER BY v.stream_id DESC LIMIT 100`,
      values: [holders],
    });
    const states = await this.store.many.readStates(rows);
    return {
      consents: states.map((state, index) => ({
        consentId: state.consentId,
        tppId: state.tppId,
        consentStatus: this.consents.asOfNow(state).status,
        validUntil: state.validUntil,
        accounts: state.accounts,
        lastUsedAt: rows[index]?.last_used_at?.toISOString(),
        recentUses: (rows[index]?.recent ?? []).map((at) => at.toISOString()),
      })),
    };
  }
}
