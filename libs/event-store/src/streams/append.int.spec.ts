import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@xs2a/runtime/ids';
import { counted, type SampleDatabase, startSampleDatabase } from '../testing/sample-stream.js';
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
      ARRAY[NULL]::timestamptz[], ARRAY[NULL]::bytea[], ARRAY[NULL], ARRAY[NULL],
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

describe('the guard of a store (recovery/README.md)', () => {
  const counting = { table: 'sample_view', columns: viewColumns };

  it('is in the statement of guarded appends, and nowhere in the ordinary one', () => {
    const condition = 'EXISTS (SELECT FROM the_condition)';
    expect(appendText(counting, () => condition)).toContain(condition);
    expect(appendText(counting)).not.toContain('examined_server');
    expect(appendText(counting)).not.toContain('lost_event');
  });

  it.each([
    ['accepts', 'true', 'appended'],
    ['refuses', 'false', 'conflict'],
  ] as const)(
    '%s a guarded append if the condition is %s, and accepts an ordinary one in any case',
    async (_, sql, outcome) => {
      const store = database.store(database.pool(), undefined, undefined, true, undefined, () => sql);
      const append = async (isGuarded: boolean) =>
        store.append({ streamId: newId(), events: [counted(1)], actor: 'tester', isGuarded });
      expect(await Promise.all([append(true), append(false)])).toEqual([outcome, 'appended']);
    },
  );

  it('is required for a guarded append', async () => {
    const store = database.store(database.pool());
    await expect(
      store.append({ streamId: newId(), events: [counted(1)], actor: 'tester', isGuarded: true }),
    ).rejects.toThrow(TypeError);
  });
});
