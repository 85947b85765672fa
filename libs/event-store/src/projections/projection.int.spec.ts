import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@xs2a/nats/testing/until';
import { eventType, type EventTypes } from '@xs2a/events/event-types';
import { newId } from '@xs2a/runtime/ids';
import type { Pool } from 'pg';
import type { EventStore } from '../streams/event-store.js';
import { logHead } from '../recovery/log-gaps.js';
import { listProjections } from './builds.js';
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
/** The sum and number of the counted events, by note. */
const sums = (version = 1): Projection => ({
  name: 'sample_sums',
  version,
  purpose: 'what was counted, by note',
  types: ['counted'],
  columns: `note text PRIMARY KEY, events bigint NOT NULL, total bigint NOT NULL${version > 1 ? ', version int DEFAULT 2' : ''}`,
  apply: async (client, table, events) => {
    await client.query(
      `INSERT INTO ${table} AS kept (note, events, total)
       SELECT note, count(*), sum(by) FROM unnest($1::text[], $2::bigint[]) AS e (note, by) GROUP BY note
       ON CONFLICT (note) DO UPDATE SET events = kept.events + excluded.events, total = kept.total + excluded.total`,
      [
        events.map(({ data }) => (data as { note?: string }).note ?? ''),
        events.map(({ data }) => (data as { by: number }).by),
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
  await sql('DROP VIEW IF EXISTS payments.sample_sums');
  for (let build = 1; build < 6; build += 1) await sql(`DROP TABLE IF EXISTS payments.sample_sums_${build}`);
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
    schema: 'payments',
    serviceRole: 'xs2a_payments',
    projection: sums(),
    types,
    batchSize: 100,
    ...options,
  });
const live = async () => sql('SELECT note, events::int, total::int FROM payments.sample_sums ORDER BY note');
/** The expected result, computed from the events in SQL only. */
const expected = async () =>
  sql(`SELECT data->>'note' AS note, count(*)::int AS events, sum((data->>'by')::int)::int AS total
    FROM payments.events JOIN payments.log USING (stream_id, version) GROUP BY 1 ORDER BY 1`);
const expectRight = async (): Promise<void> => expect(await live()).toEqual(await expected());
const cutOff = async (name: string) =>
  sql('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [name]);
/** Waits until the live build contains every event that has a position. */
const caughtUp = async (): Promise<void> => {
  const head = await logHead(pool);
  await until(async () =>
    expect((await listProjections(owner)).find((one) => one.live)?.pos).toBeGreaterThanOrEqual(head),
  );
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
      apply: async (client, table, events, reads) => {
        await good.apply(client, table, events, reads);
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
      'SELECT xmin::text FROM payments.sample_sums_1 UNION SELECT xmin::text FROM payments.projection',
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
    await until(() => expect(runner.degraded()).toContain('rebuild it'));
    await rebuild({ projection: sums(2) });
    await append(3);
    await caughtUp();
    await expectRight();
    expect(await sql('SELECT DISTINCT version FROM payments.sample_sums')).toEqual([{ version: 2 }]);
  });
});

describe('a rebuild of a projection (architecture, Event store 6; quality, invariant 5)', () => {
  it('produces the same rows as the live build, reports its progress, and removes the old build', async () => {
    follow();
    await append(500);
    await caughtUp();
    const before = await live();
    const progress: RebuildProgress[] = [];
    const rebuilt = await rebuild({ onProgress: (one) => progress.push(one) });
    expect(rebuilt).toMatchObject({ events: 1000, resumedAt: 0, build: 2 });
    expect(progress.map(({ done, total }) => [done, total])).toEqual(
      Array.from({ length: 10 }, (_, index) => [(index + 1) * 100, 1000]),
    );
    expect(progress.every(({ perSecond, secondsLeft }) => perSecond > 0 && secondsLeft >= 0)).toBe(true);
    expect(await live()).toEqual(before);
    expect(await listProjections(owner)).toEqual([
      { name: 'sample_sums', build: 2, version: 1, pos: 1000, live: true, behind: 0 },
    ]);
    expect(await sql("SELECT to_regclass('payments.sample_sums_1') AS old")).toEqual([{ old: null }]);
    await append(10);
    await caughtUp();
    await expectRight();
  });

  it('repairs a corrupted projection', async () => {
    await append(50);
    follow();
    await caughtUp();
    await sql('UPDATE payments.sample_sums_1 SET total = 0');
    await rebuild();
    await expectRight();
  });

  it('can compare the builds without switching, even if the live build is behind', async () => {
    await append(150);
    const options: RebuildOptions = {
      pool: owner,
      schema: 'payments',
      serviceRole: 'xs2a_payments',
      projection: sums(),
      types,
    };
    expect(await projectionDifferences(options)).toBe(0);
    await sql("UPDATE payments.sample_sums_1 SET total = total + 1 WHERE note = 'note 3'");
    expect(await projectionDifferences(options)).toBe(2);
    expect(await listProjections(owner)).toMatchObject([{ build: 1, pos: 300, live: true }]);
    expect(await sql("SELECT to_regclass('payments.sample_sums_2') AS rest")).toEqual([{ rest: null }]);
  });

  it('does not block readers or the writes of the service', async () => {
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

  it('resumes where it was interrupted', async () => {
    await append(300);
    const stopping = new AbortController();
    const stopped = rebuild({
      onProgress: ({ done }) => done === 300 && stopping.abort(new Error('stopped')),
      signal: stopping.signal,
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await live()).toEqual([]);
    await append(20);
    expect(await rebuild()).toMatchObject({ resumedAt: 300, events: 340, build: 2 });
    await expectRight();
  });

  it('resumes after its connection was lost', async () => {
    await append(300);
    let pages = 0;
    const cutInThirdPage: Projection = {
      ...sums(),
      apply: async (client, table, events, reads) => {
        pages += 1;
        if (pages === 3) await cutOff('doomed');
        await sums().apply(client, table, events, reads);
      },
    };
    const doomed = rebuild({
      pool: database.superuserPool('payments', 'doomed'),
      projection: cutInThirdPage,
    });
    await expect(doomed).rejects.toThrow(/terminat|connection/i);
    expect(await rebuild()).toMatchObject({ resumedAt: 200, events: 400 });
    await expectRight();
  });

  it('starts over if the version of the projection has changed', async () => {
    await append(200);
    const stopping = new AbortController();
    const stopped = rebuild({
      onProgress: () => stopping.abort(new Error('stopped')),
      signal: stopping.signal,
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await rebuild({ projection: sums(2) })).toMatchObject({ resumedAt: 0, events: 400 });
    await expectRight();
    expect(await listProjections(owner)).toHaveLength(1);
  });

  it('cannot run twice at the same time', async () => {
    await append(300);
    const outcomes = await Promise.allSettled([rebuild(), rebuild()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expectRight();
  });
});
