import type { HashKeys } from '@xs2a/postgres/hash-keys';
import type { Pool, PoolClient } from 'pg';

/** An idempotency key and the answer stored for it. The key is unique per TPP and path for 24 hours (contract 2). */
export interface IdempotencyRecord {
  readonly tppId: string;
  readonly key: string;
  /** The method, and the path without its version prefix. */
  readonly path: string;
  /** The SHA-256 of the body, in hex. */
  readonly hash: string;
  /** The answer to a repeat of the request, as plain JSON other than null. */
  readonly answer: unknown;
  /**
   * The ISO instant at which the request began. Required if a refusal must end earlier requests with the key
   * ({@link IdempotencyRecords.refuse}).
   */
  readonly begunAt?: string;
}

/** A request that may have an idempotency key. Without a key, every repeat is a separate request. */
export interface KeyedRequest extends Pick<IdempotencyRecord, 'tppId' | 'begunAt'> {
  readonly idempotencyKey: Pick<IdempotencyRecord, 'path' | 'hash'> & { readonly key?: string };
}

/** Returns the record for a request with this answer, or undefined if the request has no key. */
export const toIdempotencyRecord = (
  { tppId, idempotencyKey, begunAt }: KeyedRequest,
  answer: unknown,
): IdempotencyRecord | undefined => {
  const { key, path, hash } = idempotencyKey;
  return key === undefined ? undefined : { tppId, key, path, hash, answer, begunAt };
};

/** The purpose for which the hash keys for stored records are derived (`MasterKeys.hashKeys`). */
export const idempotencyPurpose = 'idempotency';

/**
 * An idempotency key and the hash of its body as stored in a row: HMACs under one of the hash keys, whose name is
 * in the row.
 */
export interface Claim {
  readonly key: string;
  readonly hash: string;
  readonly keyName: string;
}

/** An {@link IdempotencyRecord} with its claims: one per hash key, in an order that is the same in every instance. */
export interface ClaimedRecord extends IdempotencyRecord {
  readonly claims: readonly Claim[];
}

/**
 * A key may contain personal data, and a stored body hash would allow guesses of the body to be confirmed. Both
 * are therefore stored as HMACs that include the owner.
 */
export const claimRecord = (record: IdempotencyRecord, hashKeys: HashKeys): ClaimedRecord => {
  const { tppId, path, key, hash } = record;
  const claims = hashKeys.all.map((hashKey) => ({
    key: hashKey.hmac('key', tppId, path, key).toString('base64url'),
    hash: hashKey.hmac('body', tppId, path, key, hash).toString('base64url'),
    keyName: hashKey.name,
  }));
  return { ...record, claims };
};

/** Lifetime of an idempotency key (contract 2), in milliseconds. */
export const dayMs = 24 * 60 * 60 * 1000;

/** How many milliseconds an expired key is kept. This is longer than any request can be delayed. */
const refusedForMs = 60_000;

/**
 * The known outcome of the first request with an idempotency key: its answer, `key-reused` if it had a different
 * body, or `under-way` if a later request with the key overtook and ended it.
 */
export type EarlierRequest = { readonly replay: unknown } | 'key-reused' | 'under-way';

interface KeptRow {
  readonly key: string;
  readonly hash: string;
  /** JSON null means that a request with the key was refused. */
  readonly answer: unknown;
}

/**
 * The table of idempotency keys and the answers to the first request with each key. Appends write to it
 * (`append.ts`).
 */
export class IdempotencyRecords {
  constructor(private readonly pool: Pool) {}

  /** Returns undefined if the key has no record that is valid at `now` (ISO instant). */
  async find(
    record: Omit<ClaimedRecord, 'answer'>,
    now: string,
    session: Pool | PoolClient = this.pool,
  ): Promise<EarlierRequest | undefined> {
    const { tppId, path, claims } = record;
    const { rows } = await session.query<KeptRow>({
      name: 'find-idempotency-key',
      text: `SELECT key, hash, answer FROM idempotency_key
        WHERE tpp_id = $1 AND path = $2 AND key = ANY($3) AND expires_at > $4`,
      values: [tppId, path, claims.map(({ key }) => key), now],
    });
    const [kept] = rows;
    if (kept === undefined) return undefined;
    if (kept.answer === null) return 'under-way';
    const wanted = claims.find(({ key }) => key === kept.key)?.hash;
    return kept.hash === wanted ? { replay: kept.answer } : 'key-reused';
  }

  /** Frees a key, unless a different answer has been stored for it since then. */
  async forget({ tppId, path, claims, answer }: ClaimedRecord): Promise<void> {
    await this.pool.query({
      name: 'forget-idempotency-key',
      text: 'DELETE FROM idempotency_key WHERE tpp_id = $1 AND path = $2 AND key = ANY($3) AND answer::jsonb = $4::jsonb',
      values: [tppId, path, claims.map(({ key }) => key), JSON.stringify(answer)],
    });
  }

  /**
   * Ends requests with a key that began before `until` (ISO instant). After this, a delayed request can no longer
   * claim the key, but a later one can. `record.answer` is the value that the refused request stored for the key,
   * or null. Returns false if another request has claimed the key.
   */
  async refuse(record: ClaimedRecord, until: string): Promise<boolean> {
    const { tppId, path, claims, answer, begunAt = until } = record;
    const { rowCount } = await this.pool.query({
      name: 'refuse-idempotency-key',
      text: `INSERT INTO idempotency_key AS kept (tpp_id, path, key, hash, key_name, answer, expires_at)
        SELECT $1, $2, c.key, c.hash, c.key_name, 'null', $6
        FROM unnest($3::text[], $4::text[], $5::text[]) AS c (key, hash, key_name) ORDER BY c.key_name, c.key
        ON CONFLICT (tpp_id, path, key) DO UPDATE SET answer = excluded.answer, expires_at = excluded.expires_at
        WHERE kept.expires_at <= $7 OR kept.answer::jsonb IN ($8::jsonb, 'null')`,
      values: [
        tppId,
        path,
        claims.map(({ key }) => key),
        claims.map(({ hash }) => hash),
        claims.map(({ keyName }) => keyName),
        until,
        begunAt,
        JSON.stringify(answer),
      ],
    });
    return rowCount === claims.length;
  }

  /**
   * Removes at most `limit` keys that had been expired for a minute at `now` (ISO instant), and returns the number
   * removed.
   */
  async prune(now: string, limit: number): Promise<number> {
    const before = new Date(Date.parse(now) - refusedForMs).toISOString();
    const { rowCount } = await this.pool.query({
      name: 'prune-idempotency-keys',
      text: `DELETE FROM idempotency_key WHERE expires_at <= $1 AND ctid = ANY(ARRAY(
        SELECT ctid FROM idempotency_key WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      values: [before, limit],
    });
    return rowCount ?? 0;
  }
}
