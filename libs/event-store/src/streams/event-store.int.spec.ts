import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callContext } from '@xs2a/calls/context';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { testHashKeys } from '@xs2a/runtime/testing/test-master-keys';
import type pg from 'pg';
import { claimRecord, idempotencySweep } from './idempotency-records.js';
import { firstBrokenVersion } from './hash-chain.js';
import {
  counted,
  type SampleDatabase,
  type SampleEvent,
  type SampleStore,
  silent,
  startSampleDatabase,
} from '../testing/sample-stream.js';

let database: SampleDatabase;
let pool: pg.Pool;
let store: SampleStore;
const clock = new Clock(true);
beforeAll(async () => {
  database = await startSampleDatabase();
  pool = database.pool();
  store = database.store(pool, clock);
}, 60_000);
afterAll(async () => database.stop());

const actor = 'tester';
const created = async (by = 1): Promise<string> => {
  const streamId = newId();
  expect(await store.append({ streamId, events: [counted(by)], actor })).toBe('appended');
  return streamId;
};
const loaded = async (streamId: string) => {
  const found = await store.load(streamId);
  if (found === undefined) throw new Error('no such stream');
  return found;
};

/** Both ways of appending provide the same guarantees. */
describe.each([
  ['one by one', false],
  ['with-append-batching', true],
])('%s', (_, appendBatching) => {
  const storeOn = (on: pg.Pool, at: Clock): SampleStore => database.store(on, at, undefined, appendBatching);
  beforeAll(() => {
    store = storeOn(pool, clock);
  });

  describe('concurrent changes to one stream', () => {
    it('all succeed if forty are made with different keys, and none returns a 503', async () => {
      const streamId = await created();
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, async (_, index) =>
          store.changeOnce(streamId, () => ({ events: [counted(1)] }), {
            actor,
            idempotencyRecord: {
              tppId: 'tpp',
              key: `key-${index}`,
              path: 'POST /many',
              hash: 'h',
              answer: index,
            },
          }),
        ),
      );
      expect(new Set(outcomes)).toEqual(new Set(['appended']));
      expect(await loaded(streamId)).toMatchObject({ state: { total: 41 }, version: 41 });
    });
  });

  describe('append (architecture, Event store 1 and 6)', () => {
    it('stores events, view and queue entry together, and the same data are read back', async () => {
      const streamId = newId();
      const context = { requestId: 'b2b7d6e6-0000-4000-8000-000000000001', traceparent: '00-a-b-01' };
      await callContext.run(context, async () =>
        store.append({ streamId, events: [counted(2, 'first'), counted(3)], actor }),
      );
      expect(await loaded(streamId)).toMatchObject({ state: { total: 5 }, version: 2 });
      expect(
        await database.sql('SELECT total, note FROM payments.sample_view WHERE stream_id = $1', [streamId]),
      ).toEqual([{ total: '5', note: null }]);
      const history = await store.history(streamId);
      expect(history.map(({ version, type, data, meta }) => ({ version, type, data, meta }))).toEqual([
        { version: 1, type: 'counted', data: { by: 2, note: 'first' }, meta: { actor, ...context } },
        { version: 2, type: 'counted', data: { by: 3 }, meta: { actor, ...context } },
      ]);
      const queued = await database.sql(
        'SELECT e.version FROM payments.unsequenced u JOIN payments.events e USING (stream_id, version) WHERE stream_id = $1 ORDER BY id',
        [streamId],
      );
      expect(queued).toEqual([{ version: 1 }, { version: 2 }]);
      const transactions = await database.sql(
        `SELECT xmin::text FROM payments.events WHERE stream_id = $1
       UNION SELECT xmin::text FROM payments.sample_view WHERE stream_id = $1
       UNION SELECT u.xmin::text FROM payments.unsequenced u JOIN payments.events e USING (stream_id, version) WHERE stream_id = $1`,
        [streamId],
      );
      expect(transactions).toHaveLength(1);
    });

    it('reads the trace context of the last event, to which the next append links, only in a recorded trace', async () => {
      const streamId = newId();
      const trace = (letter: string, flags: string): string =>
        `00-${letter.repeat(32)}-${letter.repeat(16)}-${flags}`;
      const inTrace = async <Result>(traceparent: string, work: () => Promise<Result>): Promise<Result> =>
        callContext.run({ requestId: 'r', traceparent }, work);
      await inTrace(trace('a', '01'), async () => store.append({ streamId, events: [counted(1)], actor }));
      await inTrace(trace('b', '01'), async () =>
        store.append({ streamId, from: await loaded(streamId), events: [counted(1)], actor }),
      );
      const read = async (): Promise<unknown> => (await loaded(streamId))?.traceparent;
      expect(await inTrace(trace('c', '01'), read)).toBe(trace('b', '01'));
      expect(await inTrace(trace('c', '00'), read)).toBeUndefined();
      expect(await read()).toBeUndefined();
    });

    it('finds no stream for an unknown id', async () => {
      expect(await store.load(newId())).toBeUndefined();
      await expect(store.change(newId(), () => ({ events: [counted(1)] }), { actor })).rejects.toThrow(
        'unknown-stream',
      );
    });

    it('accepts one of two appends to the same version and stores no part of the other', async () => {
      const streamId = await created();
      const from = await loaded(streamId);
      const second = storeOn(database.pool(), clock);
      const outcomes = await Promise.all(
        [store, store, second, second].map(async (one, by) =>
          one.append({ streamId, from, events: [counted(1 + by), counted(1 + by)], actor }),
        ),
      );
      expect(outcomes.toSorted()).toEqual(['appended', 'conflict', 'conflict', 'conflict']);
      const by = 1 + outcomes.indexOf('appended');
      expect((await store.history(streamId)).map(({ data }) => data)).toEqual([{ by: 1 }, { by }, { by }]);
      expect(await loaded(streamId)).toMatchObject({ state: { total: 1 + 2 * by }, version: 3 });
    });

    it('refuses an append without events, and stores nothing', async () => {
      const streamId = await created();
      const from = await loaded(streamId);
      await expect(store.append({ streamId, from, events: [], actor })).rejects.toThrow('at least one event');
      expect(await store.history(streamId)).toHaveLength(1);
    });

    it('fails only the appends with a conflict or bad data when several run at once', async () => {
      const taken = await created();
      const stale = await loaded(taken);
      await store.append({ streamId: taken, from: stale, events: [counted(1)], actor });
      const streamIds = Array.from({ length: 40 }, () => newId());
      const outcomes = await Promise.allSettled([
        ...streamIds
          .slice(0, 20)
          .map(async (streamId) => store.append({ streamId, events: [counted(1)], actor })),
        store.append({ streamId: taken, from: stale, events: [counted(1)], actor }),
        store.append({ streamId: newId(), events: [counted(1, 'a NUL \0')], actor }),
        ...streamIds
          .slice(20)
          .map(async (streamId) => store.append({ streamId, events: [counted(1)], actor })),
      ]);
      expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value : 'refused'))).toEqual([
        ...Array<string>(20).fill('appended'),
        'conflict',
        'refused',
        ...Array<string>(20).fill('appended'),
      ]);
      expect((await store.many.load(streamIds)).size).toBe(40);
    });

    it('rejects a change if the decision refuses it, and loses none of many concurrent changes', async () => {
      const streamId = await created(0);
      const changes = Array.from({ length: 4 }, async () =>
        store.change(streamId, () => ({ events: [counted(1)] }), { actor }),
      );
      await Promise.all(changes);
      expect((await loaded(streamId)).state.total).toBe(4);
      const other = await created(7);
      const results = await store.many.change(
        [streamId, other, streamId],
        (state) => (state.total === 7 ? { refused: 'no' } : { events: [counted(1)] }),
        { actor },
      );
      expect(Object.fromEntries(results)).toEqual({
        [streamId]: { state: { total: 5 } },
        [other]: { refused: 'no' },
      });
    });

    it('decides on the current state of each stream, even if another process has advanced it', async () => {
      const other = storeOn(database.pool(), clock);
      const [changed, refused, untouched, gone] = [
        await created(),
        await created(),
        await created(),
        newId(),
      ];
      const ids = [changed, refused, untouched, gone];
      await store.many.change(ids, () => ({ events: [counted(1)] }), { actor });
      await other.many.change(ids, () => ({ events: [counted(10)] }), { actor });
      const seen: number[] = [];
      const results = await store.many.change(
        ids,
        ({ total }, id) => {
          seen.push(total);
          if (id === refused) return { refused: `at ${total}` };
          return { events: id === changed ? [counted(100)] : [] };
        },
        { actor },
      );
      expect(seen).toEqual([12, 12, 12]);
      expect([...results].sort(([a], [b]) => ids.indexOf(a) - ids.indexOf(b))).toEqual([
        [changed, { state: { total: 112 } }],
        [refused, { refused: 'at 12' }],
        [untouched, { state: { total: 12 } }],
        [gone, { refused: 'unknown-stream' }],
      ]);
      expect(await loaded(changed)).toMatchObject({ state: { total: 112 }, version: 4 });
      expect(firstBrokenVersion(await store.history(changed))).toBeUndefined();
    });
  });

  describe('idempotency (contract 2)', () => {
    const claim = (key: string, hash = 'h1', answer: unknown = { id: key }) => ({
      tppId: 'tpp',
      path: 'POST /payments',
      key,
      hash,
      answer,
    });

    it('executes one of 20 parallel create requests and returns its answer to the others', async () => {
      const key = newId();
      const stores = [store, storeOn(database.pool(), clock)];
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const streamId = newId();
          const events = [counted(1, key)];
          const outcome = await stores[index % 2]?.append({
            streamId,
            events,
            actor,
            idempotencyRecord: claim(key, 'h1', { paymentId: streamId }),
          });
          if (typeof outcome === 'object') return outcome.replay;
          expect(outcome).toBe('appended');
          return { paymentId: streamId };
        }),
      );
      expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
      const rows = await database.sql('SELECT stream_id FROM payments.sample_view WHERE note = $1', [key]);
      expect(rows).toEqual([{ stream_id: (outcomes[0] as { paymentId: string }).paymentId }]);
    });

    it('rejects a key that is sent with another body, and separates keys by TPP and path', async () => {
      const key = newId();
      const append = async (idempotencyRecord: ReturnType<typeof claim>) =>
        store.append({ streamId: newId(), events: [counted(1)], actor, idempotencyRecord });
      expect(await append(claim(key))).toBe('appended');
      expect(await append(claim(key, 'h2'))).toBe('key-reused');
      expect(await append({ ...claim(key, 'h2'), tppId: 'tpp-2' })).toBe('appended');
      expect(await append({ ...claim(key, 'h2'), path: 'POST /consents' })).toBe('appended');
      expect(await store.idempotencyKeys.find(claim(key))).toEqual({ replay: { id: key } });
      expect(await store.idempotencyKeys.find(claim(key, 'h2'))).toBe('key-reused');
      expect(await store.idempotencyKeys.find(claim(newId()))).toBeUndefined();
    });

    it('returns the same answer to two concurrent copies of a change, even if the change is no longer permitted after the first', async () => {
      const streamId = await created();
      const once = async () =>
        store.changeOnce(
          streamId,
          ({ total }) => (total === 1 ? { events: [counted(1)] } : { refused: 'no' }),
          { actor, idempotencyRecord: claim(streamId) },
        );
      expect(await Promise.all([once(), once()])).toEqual(['appended', { replay: { id: streamId } }]);
      expect((await loaded(streamId)).state.total).toBe(2);
    });

    it('keeps a key only if its append succeeded', async () => {
      const streamId = await created();
      const key = newId();
      const conflict = await store.append({
        streamId,
        events: [counted(1)],
        actor,
        idempotencyRecord: claim(key),
      });
      expect(conflict).toBe('conflict');
      expect(await store.idempotencyKeys.find(claim(key))).toBeUndefined();
    });

    it('expires a key after 24 hours by the clock', async () => {
      const key = newId();
      const moving = new Clock(true);
      const later = storeOn(pool, moving);
      const append = async (hash: string) =>
        later.append({ streamId: newId(), events: [counted(1)], actor, idempotencyRecord: claim(key, hash) });
      expect(await append('h1')).toBe('appended');
      moving.raiseTo(24 * 3_600_000 - 60_000);
      expect(await append('h2')).toBe('key-reused');
      moving.raiseTo(24 * 3_600_000 + 60_000);
      expect(await later.idempotencyKeys.find(claim(key))).toBeUndefined();
      expect(await append('h2')).toBe('appended');
      expect(await later.idempotencyKeys.find(claim(key, 'h2'))).toEqual({ replay: { id: key } });
      moving.raiseTo(72 * 3_600_000);
      expect(await later.idempotencyKeys.prune(10_000)).toBeGreaterThan(0);
      expect(await later.idempotencyKeys.prune(10_000)).toBe(0);
    });

    it('removes every key older than 24 hours, however many there are, and no other keys', async () => {
      await database.sql(
        `INSERT INTO payments.idempotency_key (tpp_id, path, key, hash, key_name, answer, expires_at)
       SELECT 'many', 'POST /payments/x', n::text, 'h', 'test', '{}', '2020-01-01'::timestamptz + n * interval '1 second'
       FROM generate_series(1, 25000) AS n`,
      );
      const kept = newId();
      await store.append({ streamId: newId(), events: [counted(1)], actor, idempotencyRecord: claim(kept) });
      const sweep = idempotencySweep(store.idempotencyKeys, clock, silent);
      sweep.start();
      await sweep.drain();
      await sweep.stop();
      expect(
        await database.sql(
          `SELECT count(*)::int AS left FROM payments.idempotency_key WHERE tpp_id = 'many'`,
        ),
      ).toEqual([{ left: 0 }]);
      expect(await store.idempotencyKeys.find(claim(kept))).toEqual({ replay: { id: kept } });
    });

    it('returns "under way" if the first request does not finish within two seconds', async () => {
      const key = newId();
      const first = await pool.connect();
      await first.query('BEGIN');
      await first.query(
        `INSERT INTO idempotency_key VALUES ('tpp', 'POST /payments', $1, 'h1', '{}', now() + interval '1 day', 'test')`,
        [claimRecord(claim(key), testHashKeys).claims[0]?.key],
      );
      const outcomes = await Promise.all([
        store.append({ streamId: newId(), events: [counted(1)], actor, idempotencyRecord: claim(key) }),
        store.append({ streamId: newId(), events: [counted(1)], actor }),
      ]);
      await first.query('ROLLBACK');
      first.release();
      expect(outcomes).toEqual(['under-way', 'appended']);
    });
  });
});

describe('database privileges (architecture, Event store 7)', () => {
  it('do not let a service change or remove an event', async () => {
    await created();
    for (const statement of [
      "UPDATE events SET type = 'x'",
      'DELETE FROM events',
      'TRUNCATE events',
      'DELETE FROM log',
      'UPDATE log SET pos = pos + 1',
    ]) {
      await expect(pool.query(statement)).rejects.toMatchObject({ code: '42501' });
    }
  });
});

describe('hash chain (architecture, Event store; quality, Security)', () => {
  it('is valid for the stored events, and reveals what a superuser changed, removed or moved', async () => {
    const streamId = await created();
    const detail = { z: [1.5, -0.000001, 1e21, 1e-7], a: { text: 'дъщеря "x" \\ 😀' }, none: undefined };
    const odd: SampleEvent = { type: 'counted', data: { by: 1, detail } };
    await store.change(streamId, () => ({ events: [odd, counted(1), odd] }), { actor });
    const other = await created();
    expect(firstBrokenVersion(await store.history(streamId))).toBeUndefined();
    await database.sql(`UPDATE payments.events SET data = '{"by": 9}' WHERE stream_id = $1 AND version = 3`, [
      streamId,
    ]);
    expect(firstBrokenVersion(await store.history(streamId))).toBe(3);
    await database.sql('DELETE FROM payments.events WHERE stream_id = $1 AND version = 2', [streamId]);
    expect(firstBrokenVersion(await store.history(streamId))).toBe(2);
    await database.sql('DELETE FROM payments.events WHERE stream_id = $1', [streamId]);
    await database.sql('UPDATE payments.events SET stream_id = $1 WHERE stream_id = $2', [streamId, other]);
    expect(firstBrokenVersion(await store.history(streamId))).toBe(1);
  });
});
