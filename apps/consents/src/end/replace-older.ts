import { Inject, Injectable } from '@nestjs/common';
import type { ConsentState, ConsentStatus } from '@xs2a/domain/consent/consent-state';
import { replaceConsent } from '@xs2a/domain/consent/decide-consent';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { ConsentStore } from '../store/consent-store.js';
import { findHolder } from '../store/holders.js';

/**
 * Ends a TPP's older recurring consents with one PSU or one corporate: only the one authorised last remains
 * (contract 5). Every authorisation runs this after storing its own event. All use the same order (the event's
 * id), so parallel ones keep the same consent, and the last one to store sees all the others.
 */
@Injectable()
export class ReplaceOlder {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    private readonly store: ConsentStore,
  ) {}

  /** Expires all but the newest; returns the ids of those that are no longer valid. */
  private async replace(holder: string, tppId: string): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ stream_id: string }>({
      name: 'consents-in-force',
      text: `SELECT v.stream_id FROM consent_view v
        CROSS JOIN LATERAL
          (SELECT event_id FROM events WHERE stream_id = v.stream_id AND type = 'authorised' OFFSET 0) e
        WHERE v.holder = $1 AND v.tpp_id = $2 AND v.status = 'valid' AND v.recurring
        ORDER BY e.event_id`,
      values: [holder, tppId],
    });
    const older = rows.slice(0, -1).map((row) => row.stream_id);
    const replaced = await this.store.changeMany(older, replaceConsent, { actor: 'consents' });
    return older.filter((consentId) => 'state' in (replaced.get(consentId) ?? {}));
  }

  /**
   * Ends the older recurring consents that a valid one replaces; returns `expired` if an even newer one has
   * replaced it in the meantime.
   */
  async statusAfterReplacing(consent: ConsentState): Promise<ConsentStatus> {
    const holder = findHolder(consent);
    if (consent.status !== 'valid' || !consent.recurringIndicator || holder === undefined)
      return consent.status;
    const replaced = await this.replace(holder, consent.tppId);
    return replaced.includes(consent.consentId) ? 'expired' : consent.status;
  }

  /**
   * Replaces older consents where a process ended between an authorisation and its replacement, for at most
   * `limit` pairs of holder and TPP. Returns the number of pairs, not counting those whose consents cannot be
   * changed here.
   */
  async leftOver(limit: number): Promise<number> {
    const { rows } = await this.pool.query<{ holder: string; tpp_id: string }>({
      name: 'pairs-with-several-consents',
      text: `SELECT holder, tpp_id FROM consent_view WHERE status = 'valid' AND recurring
        GROUP BY holder, tpp_id HAVING count(*) > 1 LIMIT $1`,
      values: [limit],
    });
    let replaced = 0;
    for (const { holder, tpp_id } of rows) if ((await this.replace(holder, tpp_id)).length > 0) replaced += 1;
    return replaced;
  }
}
