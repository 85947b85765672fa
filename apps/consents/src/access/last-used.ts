import { Inject, Injectable } from '@nestjs/common';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';

/**
 * The time of the last use of each consent, for the PSU's page. Kept in memory and written in batches every few
 * seconds, so that a call costs no write. A killed process loses only the last seconds, and nothing depends on
 * them.
 */
@Injectable()
export class LastUsed {
  private used = new Map<string, number>();

  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** Notes a use of the consent. `atMs`: epoch milliseconds. */
  note(consentId: string, atMs: number): void {
    this.used.set(consentId, atMs);
  }

  async write(): Promise<void> {
    if (this.used.size === 0) return;
    const batch = this.used;
    this.used = new Map();
    try {
      await this.pool.query({
        name: 'write-last-used',
        text: `INSERT INTO consent_use AS kept (consent_id, last_used_at)
          SELECT id, to_timestamp(ms / 1000.0) FROM unnest($1::uuid[], $2::bigint[]) AS used (id, ms) ORDER BY id
          ON CONFLICT (consent_id) DO UPDATE SET last_used_at = greatest(kept.last_used_at, excluded.last_used_at)`,
        values: [[...batch.keys()], [...batch.values()]],
      });
    } catch (error) {
      for (const [id, ms] of batch) if (!this.used.has(id)) this.used.set(id, ms);
      throw error;
    }
  }
}
