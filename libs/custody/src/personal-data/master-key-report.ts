import type { MasterKeys } from '@xs2a/runtime/master-keys';
import type { Pool } from 'pg';
import { findMissingKeys, sampleKeys } from './sample-keys.js';

/** What the console and `xs2a keys` show about one master key. `id` is its name in MASTER_KEYS. */
export interface MasterKeyReport {
  readonly id: string;
  readonly use: 'personal data';
  readonly algorithm: 'A256KW';
  /**
   * `encrypts`: new stream keys are wrapped under this master key. `decrypts`: only older stream keys are wrapped under it.
   * `listed`: no stream key in the sample is. `missing`: stream keys are wrapped under it, but MASTER_KEYS does not unwrap them.
   */
  readonly state: 'encrypts' | 'decrypts' | 'listed' | 'missing';
}

/** The number of pages of the table `stream_key` in a sample. It is small because an open console page repeats the query every few seconds. */
const sampledPages = 100;

/**
 * Returns the master keys of a service: the keys in MASTER_KEYS, the current key first, then the missing master keys under which
 * stream keys are wrapped. It reads only a sample of the stream keys, so it may not find a missing key that wraps few of them.
 */
export const reportMasterKeys = async (
  pool: Pool,
  masterKeys: MasterKeys,
): Promise<readonly MasterKeyReport[]> => {
  const sample = await sampleKeys(pool, sampledPages);
  const missing = new Set(findMissingKeys(sample, masterKeys).names);
  const inUse = new Set(sample.map(({ masterKey }) => masterKey));
  const stateOf = (id: string): MasterKeyReport['state'] => {
    if (missing.has(id)) return 'missing';
    if (id === masterKeys.current) return 'encrypts';
    return inUse.has(id) ? 'decrypts' : 'listed';
  };
  return [...new Set([...masterKeys.names, ...inUse])].map((id) => ({
    id,
    use: 'personal data',
    algorithm: 'A256KW',
    state: stateOf(id),
  }));
};
