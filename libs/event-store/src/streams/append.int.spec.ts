import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@xs2a/runtime/ids';
import { type SampleDatabase, startSampleDatabase } from '../testing/sample-stream.js';
import { appendText } from './append.js';

let database: SampleDatabase;
beforeAll(async () => {
  database = await startSampleDatabase();
}, 60_000);
afterAll(async () => database.stop());

const viewColumns = { total: 'bigint', note: 'text' } as const;
const firstHash = `\\x${'0'.repeat(64)}`;
const nextHash = `\\x${'1'.repeat(64)}`;

describe('the append statement', () => {
  it('can be pasted into psql as PREPARE followed by EXECUTE, with arrays written as text', async () => {
    const pool = database.pool();
    const session = await pool.connect();
    const streamId = newId();
    const append = `EXECUTE append(
      ARRAY['${streamId}']::uuid[], ARRAY['${firstHash}']::bytea[], ARRAY[1], ARRAY['${nextHash}']::bytea[],
      ARRAY['{"total":1}']::json[], ARRAY[NULL], ARRAY[NULL], ARRAY[NULL], ARRAY[NULL], ARRAY[NULL]::json[],
      ARRAY[NULL]::timestamptz[], ARRAY[false], ARRAY[NULL]::bytea[], ARRAY[NULL], ARRAY[NULL],
      ARRAY[]::uuid[], ARRAY[]::text[], ARRAY[]::text[], ARRAY[]::text[],
      ARRAY['${streamId}']::uuid[], ARRAY[1], ARRAY['${newId()}']::uuid[], ARRAY['counted'], ARRAY[1],
      ARRAY['{"by":1}']::json[], ARRAY['{"actor":"psql"}']::json[], ARRAY['2026-11-20T12:00:00Z']::timestamptz[],
      ARRAY['${firstHash}']::bytea[], ARRAY['${nextHash}']::bytea[],
      ARRAY[1], ARRAY['pasted'])`;
    try {
      await session.query(`PREPARE append AS ${appendText({ table: 'sample_view', columns: viewColumns })}`);
      expect((await session.query(append)).rows).toEqual([]);
      // The stream no longer ends with the version on which the append is based.
      expect((await session.query(append)).rows).toEqual([{ stream_id: streamId, key_taken: false }]);
    } finally {
      session.release();
    }
    expect(await database.store(pool).load(streamId)).toMatchObject({ state: { total: 1 }, version: 1 });
  });
});
