import { Inject, Injectable } from '@nestjs/common';
import type { ConsentState, ConsentStatus } from '@xs2a/domain/consent/consent-state';
import { replaceConsent } from '@xs2a/domain/consent/decide-consent';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { CONSENT_STORE, type ConsentStore } from '../store/consent-store.js';
import { findHolder } from '../store/holders.js';

/**
 * Ends a TPP's older recurring consents of one PSU or one corporate, so that only the one authorised last remains
 * (contract 5). Every authorisation runs this after storing its own event. All of them use the same order (that of
 * the event ids), so parallel authorisations keep the same consent, and the last one to store its event sees all
 * the others.
 */
@Injectable()
export class ReplaceOlder {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(CONSENT_STORE) private readonly store: ConsentStore,
  ) {}

  /** Expires all consents but the newest; returns the ids of those that are no longer valid. */
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
    const replaced = await this.store.many.change(older, replaceConsent, { actor: 'consents' });
    return older.filter((consentId) => 'state' in (replaced.get(consentId) ?? {}));
  }

  /**
   * Ends the older recurring consents that a valid consent replaces. Returns `expired` if an even newer one has
   * replaced that consent in the meantime.
   */
  async statusAfterReplacing(consent: ConsentState): Promise<ConsentStatus> {
    const holder = findHolder(consent);
    if (consent.status !== 'valid' || !consent.recurringIndicator || holder === undefined)
      return consent.status;
    const replaced = await this.replace(holder, consent.tppId);
    return replaced.includes(consent.consentId) ? 'expired' : consent.status;
  }

  /**
   * Replaces older consents if a process ended after an authorisation but before the replacement, for at most
   * `limit` pairs of holder and TPP. Returns the number of pairs processed, not counting those whose consents
   * cannot be changed here.
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
