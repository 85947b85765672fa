import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@xs2a/nats/testing/until';
import { eventType, type EventTypes } from '@xs2a/events/event-types';
import { newId } from '@xs2a/runtime/ids';
import type { Pool } from 'pg';
import type { EventStore } from '../streams/event-store.js';
import { logHead } from '../recovery/log-gaps.js';
import { listProjections } from './checkpoints.js';
import {
  projectionDifferences,
  rebuildProjection,
  type RebuildOptions,
  type RebuildProgress,
} from './rebuild.js';
import { ProjectionRunner } from './runner.js';
import { ProjectionLog } from './projection-log.js';
import { createProjection, projectionTables } from './projection.tables.js';
import type { Projection } from './projection.js';
import { sequenceAll } from '../testing/sequence-all.js';
import {
  counted,
  type SampleDatabase,
  type SampleEvent,
  type SampleState,
  silent,
  startSampleDatabase,
} from '../testing/sample-stream.js';

const types: EventTypes<'counted' | 'emptied'> = {
  counted: eventType('It was counted up.'),
  emptied: eventType('It begins from zero.'),
};
/** The sum, times the version, and the number of the counted events, by note. */
const sums = (version = 1): Projection => ({
  name: 'sample_sums',
  version,
  purpose: 'what was counted, by note',
  types: ['counted'],
  columns: 'note text NOT NULL, events bigint NOT NULL, total bigint NOT NULL',
  key: ['note'],
  apply: async (client, { table, month }, events) => {
    await client.query(
      `INSERT INTO ${table} AS kept (month, note, events, total)
       SELECT $3, note, count(*), sum(by) * ${version} FROM unnest($1::text[], $2::bigint[]) AS e (note, by) GROUP BY note
       ON CONFLICT (month, note) DO UPDATE SET events = kept.events + excluded.events, total = kept.total + excluded.total`,
      [
        events.map(({ data }) => (data as { note?: string }).note ?? ''),
        events.map(({ data }) => (data as { by: number }).by),
        month,
      ],
    );
  },
});

let database: SampleDatabase;
let pool: Pool;
let owner: Pool;
let store: EventStore<SampleEvent, SampleState>;
const runners: ProjectionRunner[] = [];
const sql = async (text: string, values?: unknown[]) => database.sql(text, values);

beforeAll(async () => {
  database = await startSampleDatabase();
  pool = database.pool();
  owner = database.superuserPool('payments');
  store = database.store(pool);
  await sql(projectionTables('payments', 'xs2a_payments'));
}, 60_000);
beforeEach(async () => {
  await sql(
    'TRUNCATE payments.events, payments.log, payments.unsequenced, payments.sample_view, payments.projection',
  );
  await sql('DROP TABLE IF EXISTS payments.sample_sums');
  await sql(createProjection('payments', 'xs2a_payments', sums()));
});
afterEach(async () => {
  await Promise.all(runners.splice(0).map(async (runner) => runner.stop()));
});
afterAll(async () => database.stop());

const append = async (count: number): Promise<void> => {
  await Promise.all(
    Array.from({ length: count }, (_, index) => ({
      streamId: newId(),
      events: [counted(1, `note ${index % 7}`), counted(2, `note ${index % 7}`)],
      actor: 'tester',
    })).map(async (change) => store.append(change)),
  );
  await sequenceAll(pool);
};
const follow = (projection = sums(), of = pool, known: EventTypes = types): ProjectionRunner => {
  const runner = new ProjectionRunner({
    pool: of,
    projections: [projection],
    types: known,
    logger: silent,
    onAppended: (listener) => store.onAppended(listener),
  });
  runner.start();
  runners.push(runner);
  return runner;
};
const rebuild = async (options: Partial<RebuildOptions> = {}) =>
  rebuildProjection({
    pool: owner,
    projection: sums(),
    types,
    batchSize: 100,
    ...options,
  });
const live = async () =>
  sql(
    'SELECT note, sum(events)::int AS events, sum(total)::int AS total FROM payments.sample_sums GROUP BY note ORDER BY note',
  );
/** The expected result, computed from the events in SQL only. */
const expected = async () =>
  sql(`SELECT data->>'note' AS note, count(*)::int AS events, sum((data->>'by')::int)::int AS total
    FROM payments.events JOIN payments.log USING (stream_id, version) GROUP BY 1 ORDER BY 1`);
const expectRight = async (factor = 1): Promise<void> =>
  expect(await live()).toEqual(
    (await expected()).map((row) => ({ ...row, total: Number(row['total']) * factor })),
  );
const cutOff = async (name: string) =>
  sql('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [name]);
/** Waits until the projection contains every event that has a position. */
const caughtUp = async (): Promise<void> => {
  const head = await logHead(pool);
  await until(async () => expect((await listProjections(owner))[0]?.pos).toBeGreaterThanOrEqual(head));
};

describe('projections (architecture, Event store 6)', () => {
  it('follow the log and apply each event once, even with several instances', async () => {
    const all = [follow(), follow(sums(), database.pool()), follow(sums(), database.pool())];
    for (let round = 0; round < 5; round += 1) await append(60);
    await caughtUp();
    await expectRight();
    expect(all.map((runner) => runner.degraded())).toEqual([undefined, undefined, undefined]);
  });

  it('write the effect and the checkpoint together: a failed attempt writes neither and is reported, and the projections then recover', async () => {
    let failing = true;
    const good = sums();
    const runner = follow({
      ...good,
      apply: async (client, rows, events, reads) => {
        await good.apply(client, rows, events, reads);
        if (failing) throw new Error('no');
      },
    });
    await append(10);
    await until(() => expect(runner.degraded()).toBe('sample_sums is not kept up to date'));
    expect(await live()).toEqual([]);
    failing = false;
    await caughtUp();
    await expectRight();
    const transactions = await sql(
      'SELECT xmin::text FROM payments.sample_sums UNION SELECT xmin::text FROM payments.projection',
    );
    expect(transactions).toHaveLength(1);
    await until(() => expect(runner.degraded()).toBeUndefined());
  });

  it('survive a lost connection', async () => {
    follow(sums(), database.pool('follower'));
    for (let round = 0; round < 4; round += 1) {
      await append(40);
      await cutOff('follower');
    }
    await caughtUp();
    await expectRight();
  });

  it('read old events in the current schema version', async () => {
    await append(5);
    const runner = follow();
    await caughtUp();
    await runner.stop();
    const doubled: EventTypes = {
      ...types,
      counted: eventType('It was counted up.', (data) => ({ ...(data as object), by: 100 })),
    };
    await rebuild({ types: doubled });
    expect(await live()).toEqual(
      (await expected()).map((row) => ({ ...row, total: Number(row['events']) * 100 })),
    );
  });

  it('read only the type and time of events whose data they do not request', async () => {
    await append(1);
    await store.append({
      streamId: newId(),
      events: [counted(1), { type: 'emptied', data: {} }],
      actor: 'tester',
    });
    await append(0);
    const log = new ProjectionLog(types);
    const read = async (dataOf?: string[]) => {
      const { events } = await log.page(pool, { dataOf }, { from: 0, head: 4, size: 4 });
      return events.map(({ type, data }) => [type, data === undefined]);
    };
    const [without, having] = [true, false];
    expect(await read(['emptied'])).toEqual([
      ...Array.from({ length: 3 }, () => ['counted', without]),
      ['emptied', having],
    ]);
    expect((await read()).map(([, isWithout]) => isWithout)).toEqual([having, having, having, having]);
  });

  it.each([
    ['of a type unknown here', { counted: types.counted }],
    ['of a newer version', { ...types, counted: eventType('It was counted up.', (data) => data) }],
  ])('stop before an event %s and continue in a release that can read it', async (_title, other) => {
    const newer = Object.hasOwn(other, 'emptied') ? other : types;
    const older = Object.hasOwn(other, 'emptied') ? types : other;
    await append(3);
    const writer = database.store(pool, undefined, newer as EventTypes<SampleEvent['type']>);
    await writer.append({
      streamId: newId(),
      events: [counted(5, 'five'), { type: 'emptied', data: {} }],
      actor: 'tester',
    });
    await append(3);
    const waiting = follow(sums(), pool, older);
    await until(() => expect(waiting.degraded()).toMatch(/^sample_sums waits for a newer release: /));
    expect((await listProjections(owner))[0]?.pos).toBeLessThan(await logHead(pool));
    follow(sums(), pool, newer);
    await caughtUp();
    expect((await live()).find(({ note }) => note === 'five')).toMatchObject({ events: 1, total: 5 });
    await until(() => expect(waiting.degraded()).toBeUndefined());
  });

  it('are not changed if they are too old for this release, and are reported as needing a rebuild', async () => {
    const runner = follow(sums(2));
    await append(3);
    await until(() =>
      expect(runner.degraded()).toContain('is at version 1, this release writes version 2: rebuild it'),
    );
    await rebuild({ projection: sums(2) });
    await append(3);
    await caughtUp();
    await expectRight(2);
    await until(() => expect(runner.degraded()).toBeUndefined());
  });
});

describe('a rebuild of a projection (architecture, Event store 6; quality, invariant 5)', () => {
  it('computes the same rows again, and reports its progress', async () => {
    follow();
    await append(500);
    await caughtUp();
    const before = await live();
    const progress: RebuildProgress[] = [];
    expect(await rebuild({ onProgress: (one) => progress.push(one) })).toMatchObject({
      events: 1000,
      kept: [],
    });
    expect(progress.slice(0, 10).map(({ done, total }) => [done, total])).toEqual(
      Array.from({ length: 10 }, (_, index) => [(index + 1) * 100, 1000]),
    );
    expect(progress.every(({ perSecond, secondsLeft }) => perSecond > 0 && secondsLeft >= 0)).toBe(true);
    expect(await live()).toEqual(before);
    expect(await listProjections(owner)).toEqual([{ name: 'sample_sums', version: 1, pos: 1000, behind: 0 }]);
    expect(await sql("SELECT to_regclass('payments.sample_sums_rebuild') AS rest")).toEqual([{ rest: null }]);
    await append(10);
    await caughtUp();
    await expectRight();
  });

  it('repairs rows that are wrong, missing or too many', async () => {
    await append(50);
    follow();
    await caughtUp();
    await sql("UPDATE payments.sample_sums SET total = 0 WHERE note = 'note 1'");
    await sql("DELETE FROM payments.sample_sums WHERE note = 'note 2'");
    await sql("INSERT INTO payments.sample_sums VALUES ('2031-01', 'note 9', 1, 1)");
    await rebuild();
    await expectRight();
  });

  it('keeps streams of several months apart', async () => {
    const begun = (at: string): string => {
      const time = Date.parse(at).toString(16).padStart(12, '0');
      return `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`;
    };
    for (const at of ['2026-03-31T23:59:59Z', '2026-04-01T00:00:00Z', '2026-04-30T12:00:00Z'])
      await store.append({ streamId: begun(at), events: [counted(3, 'spring')], actor: 'tester' });
    await append(1);
    follow();
    await caughtUp();
    await sql('UPDATE payments.sample_sums SET total = 0');
    await rebuild();
    const rows = await sql(
      "SELECT month, total::int FROM payments.sample_sums WHERE note = 'spring' ORDER BY month",
    );
    expect(rows).toEqual([
      { month: '2026-03', total: 3 },
      { month: '2026-04', total: 6 },
    ]);
    await expectRight();
  });

  it('is a comparison if nothing may change: it counts the rows that differ, even while the projection is behind', async () => {
    await append(75);
    const runner = follow();
    await caughtUp();
    await runner.stop();
    await append(75);
    const options: RebuildOptions = { pool: owner, projection: sums(), types };
    expect(await projectionDifferences(options)).toBe(0);
    await sql("UPDATE payments.sample_sums SET total = total + 1 WHERE note = 'note 3'");
    expect(await projectionDifferences(options)).toBe(2);
    await sql("DELETE FROM payments.sample_sums WHERE note = 'note 4'");
    expect(await projectionDifferences(options)).toBe(3);
    expect(await listProjections(owner)).toMatchObject([{ pos: 150 }]);
    expect(await sql("SELECT to_regclass('payments.sample_sums_rebuild') AS rest")).toEqual([{ rest: null }]);
  });

  it('does not block readers or the writes of the service, and readers never see part of a month', async () => {
    follow();
    await append(700);
    await caughtUp();
    const done = new AbortController();
    const totals: number[] = [];
    const reader = (async () => {
      while (!done.signal.aborted) {
        const { rows } = await pool.query<{ total: number }>({
          name: 'reader',
          text: 'SELECT sum(total)::bigint AS total FROM sample_sums',
        });
        totals.push(rows[0]?.total ?? 0);
      }
    })();
    const writer = (async () => {
      for (let round = 0; round < 10; round += 1) await append(30);
    })();
    for (let round = 0; round < 3; round += 1) await rebuild();
    await writer;
    await caughtUp();
    done.abort();
    await reader;
    await expectRight();
    expect(totals).toEqual([...totals].sort((one, other) => one - other));
    expect(totals[0]).toBe(2100);
  }, 20_000);

  it('may be interrupted and repeated', async () => {
    follow();
    await append(300);
    await caughtUp();
    await sql('UPDATE payments.sample_sums SET total = 0');
    const stopping = new AbortController();
    const stopped = rebuild({
      onProgress: ({ done }) => done === 300 && stopping.abort(new Error('stopped')),
      signal: stopping.signal,
    });
    await expect(stopped).rejects.toThrow('stopped');
    await append(20);
    await rebuild();
    await caughtUp();
    await expectRight();
  });

  it('may be repeated after its connection was lost', async () => {
    follow();
    await append(300);
    await caughtUp();
    let pages = 0;
    const cutInThirdPage: Projection = {
      ...sums(),
      apply: async (client, rows, events, reads) => {
        pages += 1;
        if (pages === 3) await cutOff('doomed');
        await sums().apply(client, rows, events, reads);
      },
    };
    const doomed = rebuild({
      pool: database.superuserPool('payments', 'doomed'),
      projection: cutInThirdPage,
    });
    await expect(doomed).rejects.toThrow(/terminat|connection/i);
    await rebuild();
    await expectRight();
  });

  it('stops the instances of both releases while it changes the version, so that no row is of both', async () => {
    const older = follow();
    await append(100);
    await caughtUp();
    const stopping = new AbortController();
    const stopped = rebuild({
      projection: sums(2),
      onProgress: () => stopping.abort(new Error('stopped')),
      signal: stopping.signal,
    });
    await expect(stopped).rejects.toThrow('stopped');
    const newer = follow(sums(2));
    await append(10);
    for (const runner of [older, newer])
      await until(() => expect(runner.degraded()).toContain('is being rebuilt'));
    await rebuild({ projection: sums(2) });
    await caughtUp();
    await expectRight(2);
  });

  it('cannot run twice at the same time', async () => {
    await append(300);
    const outcomes = await Promise.allSettled([rebuild(), rebuild()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});
