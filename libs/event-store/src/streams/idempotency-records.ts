import { Batches } from '@xs2a/postgres/batches';
import type { HashKeys } from '@xs2a/postgres/hash-keys';
import type { Logger } from '@xs2a/observability/logger';
import { Sweep } from '@xs2a/runtime/background/sweep';
import type { Clock } from '@xs2a/runtime/clock';
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
  /** The ISO instant at which the request began. Required for {@link IdempotencyKeys.refuse}. */
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

/** An idempotency key and the hash of its body as stored: HMACs under the named hash key. */
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

/** An idempotency key to look up, under one form per hash key. */
export interface Lookup {
  readonly tppId: string;
  readonly path: string;
  readonly keys: readonly string[];
  /** A record that has expired at this ISO instant is not found. */
  readonly now: string;
}

interface KeptRow {
  /** The position of the look-up that found the row, from 1. */
  readonly n: number;
  readonly key: string;
  readonly hash: string;
  /** JSON null means that a request with the key was refused. */
  readonly answer: unknown;
}

/** What is stored for a key. */
export type KeptKey = Omit<KeptRow, 'n'>;
/** Returns, in order, what is stored for each key. */
export type KeysFinder = (lookups: readonly Lookup[]) => Promise<readonly (KeptKey | undefined)[]>;
/** Returns what is stored for a key; undefined if nothing is. */
export type KeyFinder = (lookup: Lookup) => Promise<KeptKey | undefined>;

/** Looks up any number of keys in one statement. Returns, in order, what is stored for each; undefined if nothing is. */
export const findKeys = async (
  session: Pool | PoolClient,
  lookups: readonly Lookup[],
): Promise<readonly (KeptKey | undefined)[]> => {
  const forms = lookups.flatMap(({ keys, ...lookup }, index) =>
    keys.map((key) => ({ ...lookup, key, n: index + 1 })),
  );
  const { rows } = await session.query<KeptRow>({
    name: 'find-idempotency-keys',
    text: `SELECT l.n, t.key, t.hash, t.answer
      FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::timestamptz[]) AS l (n, tpp_id, path, key, now)
      JOIN idempotency_key t ON t.tpp_id = l.tpp_id AND t.path = l.path AND t.key = l.key AND t.expires_at > l.now`,
    values: [
      forms.map(({ n }) => n),
      forms.map(({ tppId }) => tppId),
      forms.map(({ path }) => path),
      forms.map(({ key }) => key),
      forms.map(({ now }) => now),
    ],
  });
  const found = new Map(rows.map((row) => [row.n, row]));
  return lookups.map((_, index) => found.get(index + 1));
};

/** Looks up one key in a statement of its own. */
export const findKey = async (session: Pool | PoolClient, lookup: Lookup): Promise<KeptKey | undefined> =>
  (await findKeys(session, [lookup]))[0];

/** Returns undefined if the key has no record that is valid at `now` (ISO instant). */
export const findEarlier = async (
  find: KeyFinder,
  { tppId, path, claims }: Omit<ClaimedRecord, 'answer'>,
  now: string,
): Promise<EarlierRequest | undefined> => {
  const kept = await find({ tppId, path, keys: claims.map(({ key }) => key), now });
  if (kept === undefined) return undefined;
  if (kept.answer === null) return 'under-way';
  const wanted = claims.find(({ key }) => key === kept.key)?.hash;
  return kept.hash === wanted ? { replay: kept.answer } : 'key-reused';
};

interface Options {
  readonly pool: Pool;
  readonly hashKeys: HashKeys;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** The idempotency keys of an event store, for requests that are decided outside an append (`append.ts`). */
export class IdempotencyKeys {
  constructor(
    private readonly options: Options,
    private readonly findKey: KeyFinder,
  ) {}

  /** Returns the answer stored for a key. Called before validation: a replay takes precedence (contract 3). */
  async find(record: Omit<IdempotencyRecord, 'answer'>): Promise<EarlierRequest | undefined> {
    const claimed = this.claim({ answer: undefined, ...record });
    return findEarlier(this.findKey, claimed, record.begunAt ?? this.now());
  }

  /** As {@link find}. Returns undefined for a request without a key. */
  async findEarlier(request: KeyedRequest): Promise<EarlierRequest | undefined> {
    const record = toIdempotencyRecord(request, undefined);
    return record && this.find(record);
  }

  /**
   * Frees a key whose answer proved invalid, so that the request can be sent again (contract 2). If a different
   * answer has been stored for the key since then, nothing is changed.
   */
  async forget(record: IdempotencyRecord): Promise<void> {
    const { tppId, path, claims, answer } = this.claim(record);
    await this.options.pool.query({
      name: 'forget-idempotency-key',
      text: 'DELETE FROM idempotency_key WHERE tpp_id = $1 AND path = $2 AND key = ANY($3) AND answer::jsonb = $4::jsonb',
      values: [tppId, path, claims.map(({ key }) => key), JSON.stringify(answer)],
    });
  }

  /**
   * Records that a request was refused. After this, a delayed earlier request with the same key can no longer
   * append anything (`under-way`), but a later one can. `answer` is the value that the refused request stored for
   * the key, or null. Returns false if another request has claimed the key.
   */
  async refuse(record: IdempotencyRecord): Promise<boolean> {
    const latest = [record.begunAt ?? '', this.now()].sort().at(-1) ?? '';
    // Also ends requests that began within this millisecond.
    const until = new Date(Date.parse(latest) + 1).toISOString();
    const { tppId, path, claims, answer, begunAt = until } = this.claim(record);
    const { rowCount } = await this.options.pool.query({
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

  /** Removes at most `limit` keys that have been expired for a minute, and returns the number removed. */
  async prune(limit: number): Promise<number> {
    const before = new Date(this.options.clock.nowMs() - refusedForMs);
    const { rowCount } = await this.options.pool.query({
      name: 'prune-idempotency-keys',
      text: `DELETE FROM idempotency_key WHERE expires_at <= $1 AND ctid = ANY(ARRAY(
        SELECT ctid FROM idempotency_key WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      values: [before, limit],
    });
    return rowCount ?? 0;
  }

  private claim(record: IdempotencyRecord): ClaimedRecord {
    return claimRecord(record, this.options.hashKeys);
  }

  private now(): string {
    return new Date(this.options.clock.nowMs()).toISOString();
  }
}

/** Removes all expired idempotency keys once a minute, even if the service is busy. */
export const idempotencySweep = (
  keys: Pick<IdempotencyKeys, 'prune'>,
  clock: Clock,
  logger: Logger,
): Sweep => {
  const batches = new Batches(10_000);
  const run = async (): Promise<number> => batches.next(async (limit) => keys.prune(limit));
  return new Sweep({ name: 'idempotency keys', everyMs: 60_000, clock, logger, run });
};

/**
 * For each master key other than the current one, returns the time until which repeated requests need it, by the
 * name of the key. They need it to find records of the last 24 hours that were stored only under that key; a
 * record stored during a rotation has a row under each key.
 */
export const idempotencyNeeds = async (
  pool: Pool,
  { current, nowMs }: { readonly current: string; readonly nowMs: number },
): Promise<ReadonlyMap<string, Date>> => {
  const { rows } = await pool.query<{ key_name: string; until: Date }>(
    `SELECT o.key_name, max(o.expires_at) AS until FROM idempotency_key o
     WHERE o.expires_at > $1 AND o.key_name <> $2 AND NOT EXISTS (
       SELECT FROM idempotency_key c WHERE c.expires_at = o.expires_at AND c.key_name = $2
         AND c.tpp_id = o.tpp_id AND c.path = o.path AND c.answer::text = o.answer::text)
     GROUP BY o.key_name ORDER BY o.key_name`,
    [new Date(nowMs), current],
  );
  return new Map(rows.map(({ key_name: name, until }) => [name, until]));
};
