import { Inject, Injectable } from '@nestjs/common';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';

/** How many uses of a consent its PSU sees. */
const maxRecent = 5;

/**
 * The last uses of each consent, for the PSU's page. Kept in memory and written in batches every few seconds, so that
 * a call costs no write. A killed process loses only the last seconds, and nothing depends on them.
 */
@Injectable()
export class LastUsed {
  /** The last uses by consent, oldest first, in epoch milliseconds. */
  private used = new Map<string, readonly number[]>();

  constructor(@Inject(POOL) private readonly pool: Pool) {}

  /** Notes a use of the consent. `atMs`: epoch milliseconds. */
  note(consentId: string, atMs: number): void {
    this.used.set(consentId, [...(this.used.get(consentId) ?? []), atMs].slice(-maxRecent));
  }

  async write(): Promise<void> {
    if (this.used.size === 0) return;
    const batch = this.used;
    this.used = new Map();
    const uses = [...batch].flatMap(([id, times]) => times.map((atMs) => ({ id, atMs })));
    try {
      await this.pool.query({
        name: 'write-last-used',
        text: `INSERT INTO consent_use AS kept (consent_id, last_used_at, recent)
          SELECT id, max(at), array_agg(at ORDER BY at DESC)
          FROM (SELECT id, to_timestamp(ms / 1000.0) AS at FROM unnest($1::uuid[], $2::bigint[]) AS used (id, ms)) AS uses
          GROUP BY id ORDER BY id
          ON CONFLICT (consent_id) DO UPDATE SET
            last_used_at = greatest(kept.last_used_at, excluded.last_used_at),
            recent = ARRAY(SELECT at FROM unnest(kept.recent || excluded.recent) AS at ORDER BY at DESC LIMIT ${maxRecent})`,
        values: [uses.map(({ id }) => id), uses.map(({ atMs }) => atMs)],
      });
    } catch (error) {
      for (const [id, times] of batch)
        this.used.set(id, [...times, ...(this.used.get(id) ?? [])].slice(-maxRecent));
      throw error;
    }
  }
}
