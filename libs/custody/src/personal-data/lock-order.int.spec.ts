import { custodyTables } from '../custody.tables.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@xs2a/runtime/ids';
import { type MasterKeys, parseMasterKeys } from '@xs2a/runtime/master-keys';
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { type SampleDatabase, startSampleDatabase } from '@xs2a/event-store/testing/sample-stream';
import { requestErasure, recordRequest } from './erasures.js';
import { endKeyRetention } from './retain-keys.js';
import { rotateKeys } from './rotate-keys.js';

const masterKeys = (text: string): MasterKeys => {
  const parsed = parseMasterKeys(text);
  if (parsed === undefined) throw new Error('no master keys');
  return parsed;
};
const [older, newer] = [1, 2].map((byte) => `${byte}:${Buffer.alloc(32, byte).toString('base64')}`);
const rows = 200;
const firstId = '00000000-0000-0000-0000-000000000000';
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

let database: SampleDatabase;
let owner: Pool;
/** The ids in locking order, which differs from the order in the table. */
let streamIds: readonly string[];

beforeAll(async () => {
  database = await startSampleDatabase({ more: custodyTables('payments') });
  owner = database.superuserPool('payments');
});
afterAll(async () => database.stop());
beforeEach(async () => {
  await database.sql('TRUNCATE payments.stream_key, payments.events CASCADE');
  streamIds = Array.from({ length: rows }, () => newId()).toSorted();
  const { wrap, current } = masterKeys(`${older}`);
  await owner.query(
    `INSERT INTO stream_key (stream_id, wrapped, master_key, retained_until)
     SELECT id, $2, $3, '2030-12-31' FROM unnest($1::uuid[]) AS id ORDER BY id DESC`,
    [streamIds, wrap(randomBytes(32)), current],
  );
  await owner.query(
    `INSERT INTO events (stream_id, version, event_id, type, schema_version, data, meta, occurred_at, prev_hash, hash)
     SELECT id, 1, gen_random_uuid(), 'named', 1, '{}', '{}', now(), '', '' FROM unnest($1::uuid[]) AS id`,
    [streamIds],
  );
  await owner.query('ANALYZE stream_key');
});

const untilOneWaits = async (): Promise<void> => {
  for (;;) {
    const { rows: waiting } = await owner.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    if (waiting.length > 0) return;
  }
};
const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['a rotation', async () => rotateKeys(owner, { masterKeys: masterKeys(`${newer} ${older}`) })],
  [
    'the end of retention',
    async () => endKeyRetention(owner, { name: 'all', partition: 'events', from: firstId, to: lastId }),
  ],
  [
    'a request to erase',
    async () => {
      const [at, asked] = [new Date(), ['1']];
      const request = { at, operator: 'tester', act: 'erase', asked, streams: rows, reason: 'test' };
      return requestErasure(owner, streamIds, await recordRequest(owner, request));
    },
  ],
];

describe('the stream keys', () => {
  it.each(changes)(
    'are locked in id order by %s, so that a transaction holding the first key may lock the next one',
    async (_, run) => {
      const other = await owner.connect();
      try {
        await other.query('BEGIN');
        await other.query('SELECT FROM stream_key WHERE stream_id = $1 FOR UPDATE', [streamIds[0]]);
        const changing = run();
        await untilOneWaits();
        const others = 'SELECT FROM stream_key WHERE stream_id = ANY($1::uuid[]) FOR UPDATE NOWAIT';
        await expect(other.query(others, [streamIds])).resolves.toMatchObject({ rowCount: rows });
        await other.query('COMMIT');
        await changing;
      } finally {
        other.release(true);
      }
    },
  );
});
