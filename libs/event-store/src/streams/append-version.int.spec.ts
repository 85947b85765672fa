import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { firstBrokenVersion } from './hash-chain.js';
import {
  counted,
  type SampleDatabase,
  type SampleStore,
  startSampleDatabase,
} from '../testing/sample-stream.js';

let database: SampleDatabase;
let pool: pg.Pool;
let store: SampleStore;
const clock = new Clock(true);
beforeAll(async () => {
  database = await startSampleDatabase();
  pool = database.pool();
}, 60_000);
afterAll(async () => database.stop());

const actor = 'tester';
const created = async (): Promise<string> => {
  const streamId = newId();
  await store.append({ streamId, events: [counted(1)], actor });
  return streamId;
};
const loaded = async (streamId: string) => {
  const found = await store.load(streamId);
  if (found === undefined) throw new Error('no such stream');
  return found;
};

describe.each([
  ['one by one', false],
  ['with-append-batching', true],
])('an append based on a given version: %s (architecture, Event store 1)', (_, appendBatching) => {
  beforeAll(() => {
    store = database.store(pool, clock, undefined, appendBatching);
  });

  it('is a conflict if that version does not exist, so that no gap appears in a database that went back to an earlier state', async () => {
    const streams = [await created(), await created()];
    await store.many.change(streams, () => ({ events: [counted(1)] }), { actor });
    const [shorter = '', gone = ''] = streams;
    const from = await loaded(shorter);
    const before = await database.sql(
      `UPDATE payments.sample_view SET version = 1, state = '{"total":1}', last_hash =
        (SELECT hash FROM payments.events WHERE stream_id = $1 AND version = 1) WHERE stream_id = $1 RETURNING *`,
      [shorter],
    );
    await database.sql('DELETE FROM payments.sample_view WHERE stream_id = $1', [gone]);
    await database.sql('DELETE FROM payments.events WHERE stream_id = ANY($1) AND version = 2', [streams]);
    const idempotencyRecord = { tppId: 'tpp', path: `POST /back ${appendBatching}`, hash: 'h', answer: {} };
    const others = [newId(), newId()];
    const outcomes = await Promise.all([
      ...streams.map(async (streamId) => store.append({ streamId, from, events: [counted(1)], actor })),
      ...others.map(async (streamId) => store.append({ streamId, events: [counted(1)], actor })),
    ]);
    expect(outcomes).toEqual(['conflict', 'conflict', 'appended', 'appended']);
    for (const [index, streamId] of streams.entries())
      expect(
        await store.append({
          streamId,
          from,
          events: [counted(1)],
          actor,
          idempotencyRecord: { ...idempotencyRecord, key: `${index}` },
        }),
      ).toBe('conflict');
    for (const table of ['events', 'unsequenced'])
      expect(
        await database.sql(
          `SELECT version FROM payments.${table} WHERE stream_id = ANY($1) AND version > 2`,
          [streams],
        ),
      ).toEqual([]);
    expect(
      await database.sql('SELECT * FROM payments.sample_view WHERE stream_id = ANY($1)', [streams]),
    ).toEqual(before);
    expect(await store.idempotencyKeys.find({ ...idempotencyRecord, key: '0' })).toBeUndefined();
    expect(await store.idempotencyKeys.find({ ...idempotencyRecord, key: '1' })).toBeUndefined();
    expect(await store.change(shorter, () => ({ events: [counted(5)] }), { actor })).toEqual({ total: 6 });
  });

  it('is a conflict if a different event has that version now, so that the hash chain stays intact', async () => {
    const streamId = await created();
    const first = await loaded(streamId);
    await store.append({ streamId, from: first, events: [counted(1)], actor });
    const lost = await loaded(streamId);
    await database.sql(
      `WITH gone AS (DELETE FROM payments.events WHERE stream_id = $1 AND version = 2)
        UPDATE payments.sample_view SET version = 1, state = $2, last_hash = $3 WHERE stream_id = $1`,
      [streamId, first.state, first.lastHash],
    );
    await store.change(streamId, () => ({ events: [counted(5)] }), { actor });
    expect(await store.append({ streamId, from: lost, events: [counted(1)], actor })).toBe('conflict');
    expect(await loaded(streamId)).toMatchObject({ state: { total: 6 }, version: 2 });
    expect(firstBrokenVersion(await store.history(streamId))).toBeUndefined();
  });

  it('is the only one stored if two wait for the same row, and the idempotency key of the other is not stored', async () => {
    const streamId = await created();
    const from = await loaded(streamId);
    const holder = await database.superuserPool('payments').connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM sample_view WHERE stream_id = $1 FOR UPDATE', [streamId]);
    const idempotencyRecord = (key: string) => ({
      tppId: 'tpp',
      path: `POST /race ${appendBatching}`,
      key,
      hash: 'h',
      answer: key,
    });
    const appends = ['one', 'other'].map(async (key) =>
      database
        .store(database.pool(), clock, undefined, appendBatching)
        .append({ streamId, from, events: [counted(1)], actor, idempotencyRecord: idempotencyRecord(key) }),
    );
    try {
      for (let waiting = 0; waiting < 2;) {
        const [found] = await database.sql(
          "SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
        );
        waiting = Number(found?.['waiting']);
      }
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    const outcomes = await Promise.all(appends);
    expect(outcomes.toSorted()).toEqual(['appended', 'conflict']);
    const kept = await Promise.all(
      ['one', 'other'].map(async (key) => store.idempotencyKeys.find(idempotencyRecord(key))),
    );
    expect(kept.map((one) => one !== undefined)).toEqual(outcomes.map((one) => one === 'appended'));
    expect(await loaded(streamId)).toMatchObject({ state: { total: 2 }, version: 2 });
  });
});
