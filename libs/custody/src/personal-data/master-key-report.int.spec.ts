import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type SampleDatabase, startSampleDatabase } from '@xs2a/event-store/testing/sample-stream';
import { newId } from '@xs2a/runtime/ids';
import { type MasterKeys, parseMasterKeys } from '@xs2a/runtime/master-keys';
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { custodyTables } from '../custody.tables.js';
import { reportMasterKeys } from './master-key-report.js';
import { rotateKeys } from './rotate-keys.js';

const bytes = { old: 1, new: 2, other: 3 };
type Name = keyof typeof bytes;
const base64 = (name: Name): string => Buffer.alloc(32, bytes[name]).toString('base64');
/** Returns the configuration MASTER_KEYS with these names. The first master key wraps new stream keys. */
const masterKeys = (...names: readonly Name[]): MasterKeys => {
  const parsed = parseMasterKeys(names.map((name) => `${name}:${base64(name)}`).join(' '));
  if (parsed === undefined) throw new Error('no master keys');
  return parsed;
};

let database: SampleDatabase;
let pool: Pool;
let owner: Pool;
const storeKey = async (keys: MasterKeys): Promise<void> =>
  void (await database.sql(
    'INSERT INTO payments.stream_key (stream_id, wrapped, master_key) VALUES ($1, $2, $3)',
    [newId(), keys.wrap(randomBytes(32)), keys.current],
  ));
const states = async (keys: MasterKeys) =>
  (await reportMasterKeys(pool, keys)).map(({ id, state }) => `${id} ${state}`);

beforeAll(async () => {
  database = await startSampleDatabase({ more: custodyTables('payments') });
  [pool, owner] = [database.pool(), database.superuserPool('payments')];
});
afterAll(async () => database.stop());
beforeEach(async () => database.sql('TRUNCATE payments.stream_key'));

describe('the report on the master keys of a service', () => {
  it('shows which master key wraps the stream keys before, during and after a rotation', async () => {
    expect(await states(masterKeys('old'))).toEqual(['old encrypts']);
    await storeKey(masterKeys('old'));
    expect(await states(masterKeys('old', 'new'))).toEqual(['old encrypts', 'new listed']);
    const rotated = masterKeys('new', 'old');
    expect(await states(rotated)).toEqual(['new encrypts', 'old decrypts']);
    await rotateKeys(owner, { masterKeys: rotated });
    expect(await states(rotated)).toEqual(['new encrypts', 'old listed']);
    expect(await states(masterKeys('new'))).toEqual(['new encrypts']);
  });

  it('marks a master key as missing if stream keys are wrapped under it and MASTER_KEYS does not contain it', async () => {
    await storeKey(masterKeys('other'));
    expect(await states(masterKeys('new'))).toEqual(['new encrypts', 'other missing']);
  });

  it('contains the names of master keys and no key material', async () => {
    await storeKey(masterKeys('old'));
    const keys = masterKeys('new', 'old');
    for (const report of await reportMasterKeys(pool, keys)) {
      expect(Object.keys(report).toSorted()).toEqual(['algorithm', 'id', 'state', 'use']);
      expect(JSON.stringify(report)).not.toContain(base64(report.id as Name));
    }
  });
});
