import { binaryArray } from '@xs2a/postgres/binary-array';
import { keyPages, lowestId } from '@xs2a/postgres/key-pages';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { MasterKeys } from '@xs2a/runtime/master-keys';
import type { Pool } from 'pg';
import { lockKeys } from './lock-keys.js';
import { tryUnwrap } from './sample-keys.js';

/** The number of stream keys wrapped by each master key, by the name of the master key. */
export type KeyCounts = ReadonlyMap<string, number>;

interface WrappedKey {
  readonly stream_id: string;
  /** The wrapped key, or null for an erased stream. */
  readonly wrapped: Buffer | null;
  readonly master_key: string | null;
}

export interface WalkOptions {
  /** The number of keys that one statement reads and one transaction changes. */
  readonly batch?: number;
  readonly signal?: AbortSignal;
  /** Called after each batch with the number of keys read so far. */
  readonly onProgress?: (done: number) => void;
}

const isPresent = (row: WrappedKey): row is WrappedKey & { wrapped: Buffer; master_key: string } =>
  row.wrapped !== null;

/** Reads all keys in stream id order, in short statements. Throws the signal's reason. */
const walkKeys = async function* (
  pool: Pool,
  { batch = 1000, signal, onProgress }: WalkOptions,
): AsyncGenerator<readonly (WrappedKey & { wrapped: Buffer; master_key: string })[]> {
  const pages = keyPages({ stream_id: lowestId }, async (after) => {
    signal?.throwIfAborted();
    return pool.query<WrappedKey>(
      'SELECT stream_id, wrapped, master_key FROM stream_key WHERE stream_id > $1 ORDER BY stream_id LIMIT $2',
      [after.stream_id, batch],
    );
  });
  let done = 0;
  for await (const rows of pages) {
    // Erased streams are filtered out here. With the filter in the statement, it might have to read any
    // number of erased streams before its page is full.
    yield rows.filter(isPresent);
    onProgress?.((done += rows.length));
  }
};

/** Counts the keys wrapped by each master key. Reads all keys. */
export const countKeys = async (pool: Pool, options: WalkOptions = {}): Promise<KeyCounts> => {
  const counts = new Map<string, number>();
  for await (const keys of walkKeys(pool, options))
    for (const { master_key: name } of keys) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

export interface Rotated {
  /** The number of keys that this run rewrapped under the first master key. */
  readonly rotated: number;
  /** The keys that no given master key unwraps, counted by their master key's name. They stay unchanged. */
  readonly unreadable: KeyCounts;
}

/**
 * Rewraps all keys that are wrapped by another master key, under the first one. Services that have both master
 * keys can read each key before and after. Requires the privileges of the schema's owner. May be interrupted and
 * repeated. Keys that a service with a different first master key adds during the run may remain under the old
 * one; {@link countKeys} shows them.
 */
export const rotateKeys = async (
  pool: Pool,
  { masterKeys, ...walk }: WalkOptions & { readonly masterKeys: MasterKeys },
): Promise<Rotated> => {
  const unreadable = new Map<string, number>();
  let rotated = 0;
  for await (const keys of walkKeys(pool, walk)) {
    const changes = keys.flatMap(({ stream_id: streamId, wrapped, master_key: name }) => {
      // Tries to unwrap the key instead of comparing names, because a different master key may have had the
      // same name.
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

/** A key that was erased after it was read no longer has a value in `wrapped`, and is not restored. */
const replaceKeys = async (pool: Pool, masterKey: string, changes: readonly Change[]): Promise<number> => {
  const streamIds = changes.map(({ streamId }) => streamId);
  const before = changes.map((change) => change.before);
  const after = changes.map((change) => change.after);
  const values = [
    masterKey,
    binaryArray('uuid', streamIds),
    binaryArray('bytea', before),
    binaryArray('bytea', after),
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
