import type { Pool, PoolClient } from 'pg';

/** A claim of an idempotency key: unique per TPP, path and key for 24 hours (contract 2). */
export interface AttemptClaim {
  readonly tppId: string;
  readonly key: string;
  /** Method and path without version prefix. */
  readonly path: string;
  /** SHA-256 of the body, hex. */
  readonly hash: string;
  /** Plain JSON: what a repeat of the request is answered. */
  readonly answer: unknown;
}

/** Lifetime of an idempotency key (contract 2), in milliseconds. */
export const dayMs = 24 * 60 * 60 * 1000;

/** What is known of the first request with an idempotency key: its answer, or that it had another body. */
export type EarlierAttempt = { readonly replay: unknown } | 'attempt-reused';

/** The table of idempotency keys and of what the first request with each was answered. Appends write it (`append.ts`). */
export class IdempotencyRecords {
  constructor(private readonly pool: Pool) {}

  /** Answers undefined when the key has no record that still counts at `now` (ISO instant). */
  async find(
    claim: Omit<AttemptClaim, 'answer'>,
    now: string,
    session: Pool | PoolClient = this.pool,
  ): Promise<EarlierAttempt | undefined> {
    const { rows } = await session.query<{ hash: string; answer: unknown }>({
      name: 'find-attempt',
      text: 'SELECT hash, answer FROM attempt WHERE tpp_id = $1 AND path = $2 AND key = $3 AND expires_at > $4',
      values: [claim.tppId, claim.path, claim.key, now],
    });
    const [record] = rows;
    if (record === undefined) return undefined;
    return record.hash === claim.hash ? { replay: record.answer } : 'attempt-reused';
  }

  /** Frees a key, unless it has another answer by now. */
  async forget({ tppId, path, key, answer }: AttemptClaim): Promise<void> {
    await this.pool.query({
      name: 'forget-attempt',
      text: 'DELETE FROM attempt WHERE tpp_id = $1 AND path = $2 AND key = $3 AND answer::jsonb = $4::jsonb',
      values: [tppId, path, key, JSON.stringify(answer)],
    });
  }

  /** Removes at most `limit` keys that no longer count at `now` (ISO instant); answers how many. */
  async prune(now: string, limit: number): Promise<number> {
    const { rowCount } = await this.pool.query({
      name: 'prune-attempts',
      text: `DELETE FROM attempt WHERE expires_at <= $1 AND ctid = ANY(ARRAY(
        SELECT ctid FROM attempt WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      values: [now, limit],
    });
    return rowCount ?? 0;
  }
}
