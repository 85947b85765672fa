import type { IdempotencyKey } from '@xs2a/contracts/call';
import type { Pool, PoolClient } from 'pg';

/** An idempotency key and the answer that is kept for it: unique per TPP, path and key for 24 hours (contract 2). */
export interface IdempotencyRecord {
  readonly tppId: string;
  readonly key: string;
  /** Method and path without version prefix. */
  readonly path: string;
  /** SHA-256 of the body, hex. */
  readonly hash: string;
  /** Plain JSON: what a repeat of the request is answered. */
  readonly answer: unknown;
}

/** The record of a request that is answered so; undefined when it has no key, and every repeat is a request of its own. */
export const toIdempotencyRecord = (
  { tppId, attempt: { key, path, hash } }: { readonly tppId: string; readonly attempt: IdempotencyKey },
  answer: unknown,
): IdempotencyRecord | undefined => (key === undefined ? undefined : { tppId, key, path, hash, answer });

/** Lifetime of an idempotency key (contract 2), in milliseconds. */
export const dayMs = 24 * 60 * 60 * 1000;

/** The first request with an idempotency key as far as it is known: its answer, or that it had another body. */
export type EarlierRequest = { readonly replay: unknown } | 'key-reused';

/**
 * The table of idempotency keys and of what the first request with each was answered; its name is `attempt`. Appends write it
 * (`append.ts`).
 */
export class IdempotencyRecords {
  constructor(private readonly pool: Pool) {}

  /** Answers undefined when the key has no record that still counts at `now` (ISO instant). */
  async find(
    record: Omit<IdempotencyRecord, 'answer'>,
    now: string,
    session: Pool | PoolClient = this.pool,
  ): Promise<EarlierRequest | undefined> {
    const { rows } = await session.query<{ hash: string; answer: unknown }>({
      name: 'find-idempotency-key',
      text: 'SELECT hash, answer FROM attempt WHERE tpp_id = $1 AND path = $2 AND key = $3 AND expires_at > $4',
      values: [record.tppId, record.path, record.key, now],
    });
    const [kept] = rows;
    if (kept === undefined) return undefined;
    return kept.hash === record.hash ? { replay: kept.answer } : 'key-reused';
  }

  /** Frees a key, unless it has another answer by now. */
  async forget({ tppId, path, key, answer }: IdempotencyRecord): Promise<void> {
    await this.pool.query({
      name: 'forget-idempotency-key',
      text: 'DELETE FROM attempt WHERE tpp_id = $1 AND path = $2 AND key = $3 AND answer::jsonb = $4::jsonb',
      values: [tppId, path, key, JSON.stringify(answer)],
    });
  }

  /** Removes at most `limit` keys that no longer count at `now` (ISO instant); answers how many. */
  async prune(now: string, limit: number): Promise<number> {
    const { rowCount } = await this.pool.query({
      name: 'prune-idempotency-keys',
      text: `DELETE FROM attempt WHERE expires_at <= $1 AND ctid = ANY(ARRAY(
        SELECT ctid FROM attempt WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      values: [now, limit],
    });
    return rowCount ?? 0;
  }
}
