import { MasterKeyMissing, type MasterKeys } from '@xs2a/runtime/master-keys';
import type { Pool } from 'pg';

/** A sample of the stream keys wrapped by a single master key. */
export interface SampledKeys {
  readonly masterKey: string;
  /** At most ten of these stream keys, in their stored form. */
  readonly wrapped: readonly Buffer[];
}

/**
 * Finds the master keys in use by reading the stream keys on about `pages` pages of the table `stream_key`, or on all
 * pages if the table has fewer. It may miss a master key that wraps only a few of very many keys.
 */
export const sampleKeys = async (pool: Pool, pages = 1000): Promise<SampledKeys[]> => {
  const { rows: sizes } = await pool.query<{ pages: number }>(
    `SELECT pg_relation_size('stream_key') / current_setting('block_size')::int AS pages`,
  );
  const percent = Math.min(100, (100 * pages) / Math.max(1, sizes[0]?.pages ?? 0));
  const { rows } = await pool.query<SampledKeys>(
    `SELECT master_key AS "masterKey", (array_agg(wrapped))[1:10] AS wrapped
     FROM stream_key TABLESAMPLE SYSTEM ($1) WHERE wrapped IS NOT NULL GROUP BY master_key ORDER BY master_key`,
    [percent],
  );
  return rows;
};

/** Returns undefined if none of the master keys wrapped the key. */
export const tryUnwrap = (masterKeys: MasterKeys, wrapped: Buffer): Buffer | undefined => {
  try {
    return masterKeys.unwrap(wrapped);
  } catch (error) {
    if (error instanceof MasterKeyMissing) return undefined;
    throw error;
  }
};

/** The master keys that would be needed to unwrap a sample but are missing. */
export interface MissingKeys {
  /** The names of the missing master keys. Different keys may have had the same name. */
  readonly names: readonly string[];
  /** True if the given master keys unwrap nothing in the sample. */
  readonly all: boolean;
}

/** Tries to unwrap a sample with the given master keys. */
export const findMissingKeys = (sample: readonly SampledKeys[], masterKeys: MasterKeys): MissingKeys => {
  const tried = sample.map(({ masterKey, wrapped }) => ({
    masterKey,
    keys: wrapped.length,
    unwrapped: wrapped.filter((one) => tryUnwrap(masterKeys, one) !== undefined).length,
  }));
  const missing = tried.filter(({ keys, unwrapped }) => unwrapped < keys);
  return {
    names: missing.map(({ masterKey }) => masterKey),
    all: missing.length > 0 && tried.every(({ unwrapped }) => unwrapped === 0),
  };
};
