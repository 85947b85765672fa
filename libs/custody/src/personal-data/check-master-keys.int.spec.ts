import { custodyTables } from '../custody.tables.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Health } from '@xs2a/observability/health';
import { createLogger } from '@xs2a/observability/logger';
import { ConfigError } from '@xs2a/runtime/config';
import { newId } from '@xs2a/runtime/ids';
import { type MasterKeys, parseMasterKeys } from '@xs2a/runtime/master-keys';
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { type SampleDatabase, startSampleDatabase } from '@xs2a/event-store/testing/sample-stream';
import { checkMasterKeys } from './check-master-keys.js';

/** Creates master keys with these names. `byte` distinguishes two keys with the same name. */
const masterKeys = (...keys: readonly (readonly [name: string, byte: number])[]): MasterKeys => {
  const parsed = parseMasterKeys(
    keys.map(([name, byte]) => `${name}:${Buffer.alloc(32, byte).toString('base64')}`).join(' '),
  );
  if (parsed === undefined) throw new Error('no master keys');
  return parsed;
};
const [older, newer]: [[string, number], [string, number]] = [
  ['2026', 1],
  ['2027', 2],
];

let database: SampleDatabase;
let pool: Pool;
let health: Health;

const storeKeys = async (keys: MasterKeys, count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1)
    await database.sql(
      'INSERT INTO payments.stream_key (stream_id, wrapped, master_key) VALUES ($1, $2, $3)',
      [newId(), keys.wrap(randomBytes(32)), keys.current],
    );
};
/** Returns the lines that a service with these master keys logs at startup. */
const start = async (MASTER_KEYS: MasterKeys): Promise<readonly string[]> => {
  const lines: string[] = [];
  const logger = createLogger('payments', 'info', {
    destination: { write: (line: string) => void lines.push(line) },
  });
  await checkMasterKeys({ pool, config: { MASTER_KEYS }, health, logger });
  return lines;
};

beforeAll(async () => {
  database = await startSampleDatabase({ more: custodyTables('payments') });
  pool = database.pool();
});
afterAll(async () => database.stop());
beforeEach(async () => {
  await database.sql('TRUNCATE payments.stream_key');
  health = new Health();
});

describe('the master keys of a starting service', () => {
  it('are accepted if there are no stream keys yet, or if they unwrap all existing ones', async () => {
    expect(await start(masterKeys(newer))).toEqual([]);
    await storeKeys(masterKeys(older), 3);
    await storeKeys(masterKeys(newer), 3);
    expect(await start(masterKeys(newer, older))).toEqual([]);
    expect(await health.ready()).toMatchObject({ ok: true, degraded: [] });
  });

  it('prevent startup if they unwrap no stream key, and the error names the master keys in use', async () => {
    await storeKeys(masterKeys(older), 3);
    const started = start(masterKeys(newer));
    await expect(started).rejects.toBeInstanceOf(ConfigError);
    await expect(started).rejects.toThrow(/MASTER_KEYS unwraps none of the keys in stream_key.*under 2026 /);
  });

  it('prevent startup if one of them has the name of the key in use but is a different key', async () => {
    await storeKeys(masterKeys(['main', 1]), 3);
    await expect(start(masterKeys(['main', 2]))).rejects.toThrow(/wrapped under main /);
  });

  it('do not prevent startup if some are missing; the log and the readiness report name the missing ones', async () => {
    await storeKeys(masterKeys(older), 3);
    await storeKeys(masterKeys(newer), 1);
    const lines = await start(masterKeys(newer));
    expect(lines).toEqual([expect.stringMatching(/"level":"warn".*MASTER_KEYS lacks 2026/)]);
    expect(await health.ready()).toEqual({
      ok: true,
      checks: {},
      degraded: ['master keys: MASTER_KEYS lacks 2026: personal data under it cannot be read'],
    });
  });

  it('are not needed for erased streams', async () => {
    await storeKeys(masterKeys(older), 2);
    await database.sql('UPDATE payments.stream_key SET wrapped = NULL, master_key = NULL, erased_at = now()');
    expect(await start(masterKeys(newer))).toEqual([]);
  });
});
