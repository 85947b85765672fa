import { binaryArray } from '@xs2a/postgres/binary-array';
import { inTransaction } from '@xs2a/postgres/transaction';
import { MasterKeyMissing, type MasterKeys } from '@xs2a/runtime/master-keys';
import type { Pool } from 'pg';
import { lockKeys } from './lock-keys.js';

/** The number of stream keys that each master key wraps, by the name of the master key. */
export type KeyCounts = ReadonlyMap<string, number>;

interface WrappedKey {
  readonly stream_id: string;
  /** The wrapped key; null for a forgotten stream. */
  readonly wrapped: Buffer | null;
  readonly master_key: string | null;
}

export interface WalkOptions {
  /** Keys that one statement reads, and one transaction changes. */
  readonly batch?: number;
  readonly signal?: AbortSignal;
  /** Called after each batch with the keys that were read so far. */
  readonly onProgress?: (done: number) => void;
}

const isPresent = (row: WrappedKey): row is WrappedKey & { wrapped: Buffer; master_key: string } =>
  row.wrapped !== null;

/** Reads all keys by stream id, in statements that are short however many there are. Throws AbortError when the signal aborts. */
const walkKeys = async function* (
  pool: Pool,
  { batch = 1000, signal, onProgress }: WalkOptions,
): AsyncGenerator<readonly (WrappedKey & { wrapped: Buffer; master_key: string })[]> {
  let [after, done] = ['00000000-0000-0000-0000-000000000000', 0];
  for (;;) {
    signal?.throwIfAborted();
    const { rows } = await pool.query<WrappedKey>(
      'SELECT stream_id, wrapped, master_key FROM stream_key WHERE stream_id > $1 ORDER BY stream_id LIMIT $2',
      [after, batch],
    );
    // Forgotten streams are left out here: a statement that left them out might read any number of them before its page is full.
    yield rows.filter(isPresent);
    onProgress?.((done += rows.length));
    const last = rows.at(-1);
    if (last === undefined || rows.length < batch) return;
    after = last.stream_id;
  }
};

/** Counts the keys under each master key. Reads all of them. */
export const countKeys = async (pool: Pool, options: WalkOptions = {}): Promise<KeyCounts> => {
  const counts = new Map<string, number>();
  for await (const keys of walkKeys(pool, options))
    for (const { master_key: name } of keys) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

export interface Rotated {
  /** Keys that are under the first master key now and were not before. */
  readonly rotated: number;
  /** Keys that none of the given master keys unwraps, by the name of the one that wrapped them. They are left as they are. */
  readonly unreadable: KeyCounts;
}

/**
 * Wraps every key that is under another master key than the first one under the first. Services that have both read each key
 * before and after. Needs the rights of the schema's owner. May be interrupted and repeated; keys that are added meanwhile by a
 * service whose first master key is another one may be left, which {@link countKeys} shows.
 */
export const rotateKeys = async (
  pool: Pool,
  { masterKeys, ...walk }: WalkOptions & { readonly masterKeys: MasterKeys },
): Promise<Rotated> => {
  const unreadable = new Map<string, number>();
  let rotated = 0;
  for await (const keys of walkKeys(pool, walk)) {
    const changes = keys.flatMap(({ stream_id: streamId, wrapped, master_key: name }) => {
      // The key is tried instead of comparing names, since another key may have had the same name.
      if (masterKeys.isCurrent(wrapped))
        return name === masterKeys.current ? [] : [{ streamId, before: wrapped, after: wrapped }];
      const key = tryUnwrap(masterKeys, wrapped);
      if (key !== undefined) return [{ streamId, before: wrapped, after: masterKeys.wrap(key) }];
      unreadable.set(name, (unreadable.get(name) ?? 0) + 1);
      return [];
    });
    if (changes.length > 0) rotated += await replaceKeys(pool, masterKeys.current, changes);
  }
  return { rotated, unreadable };
};

interface Change {
  readonly streamId: string;
  readonly before: Buffer;
  readonly after: Buffer;
}

/** A key that was forgotten since it was read has no `wrapped` any more, and is not brought back. */
const replaceKeys = async (pool: Pool, masterKey: string, changes: readonly Change[]): Promise<number> => {
  const streamIds = changes.map(({ streamId }) => streamId);
  const values = [
    masterKey,
    binaryArray('uuid', streamIds),
    binaryArray(
      'bytea',
      changes.map(({ before }) => before),
    ),
    binaryArray(
      'bytea',
      changes.map(({ after }) => after),
    ),
  ];
  return inTransaction(pool, async (client) => {
    await lockKeys(client, streamIds);
    const { rowCount } = await client.query(
      `UPDATE stream_key k SET wrapped = c.after, master_key = $1
       FROM unnest($2::uuid[], $3::bytea[], $4::bytea[]) AS c (stream_id, before, after)
       WHERE k.stream_id = c.stream_id AND k.wrapped = c.before`,
      values,
    );
    return rowCount ?? 0;
  });
};

const tryUnwrap = (masterKeys: MasterKeys, wrapped: Buffer): Buffer | undefined => {
  try {
    return masterKeys.unwrap(wrapped);
  } catch (error) {
    if (error instanceof MasterKeyMissing) return undefined;
    throw error;
  }
};
