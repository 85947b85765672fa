import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@xs2a/runtime/ids';
import type pg from 'pg';
import { inlineViewDifferences } from '../projections/inline-view-rebuild.js';
import { anchorLog } from '../verification/log-anchor.js';
import { ProjectionLog } from '../projections/projection-log.js';
import { RelayLog } from '../publishing/relay-log.js';
import {
  counted,
  type SampleDatabase,
  type SampleStore,
  startSampleDatabase,
  sampleResource,
  sampleTypes,
} from '../testing/sample-stream.js';
import { verifyStreams } from '../verification/verify-events.js';

let database: SampleDatabase;
let pool: pg.Pool;
let session: pg.PoolClient;
let log: RelayLog;
let store: SampleStore;
const toHex = (ms: number): string => {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
};
const firstId = (month: number): string => `${toHex(Date.UTC(2026, month, 1))}-0000-0000-000000000000`;
const madeIn = (month: number): string => `${toHex(Date.UTC(2026, month, 15))}${newId().slice(13)}`;
const [september, october] = [8, 9] as const;

beforeAll(async () => {
  database = await startSampleDatabase();
  for (const month of [september, october])
    await database.sql(`CREATE TABLE payments.events_2026_${month + 1} PARTITION OF payments.events
      FOR VALUES FROM ('${firstId(month)}') TO ('${firstId(month + 1)}')`);
  pool = database.pool();
  store = database.store(pool);
  session = await database.pool('relay').connect();
  log = await RelayLog.open(session);
}, 60_000);
afterAll(async () => {
  session.release();
  await database.stop();
});

const begin = async (streamId: string): Promise<string> => {
  await store.append({ streamId, events: [counted(1), counted(2)], actor: 'tester' });
  return streamId;
};
const sequenceAll = async (): Promise<void> => {
  while ((await log.sequence(await log.head())).length > 0);
};
const projected = async (): Promise<readonly number[]> => {
  const head = await log.head();
  return (await new ProjectionLog(sampleTypes).page(pool, {}, { from: 0, head, size: 1000 })).events.map(
    ({ pos }) => pos,
  );
};
const read = async (): Promise<number[]> => (await log.read(0)).map(({ pos }) => pos);
const verified = async () => verifyStreams(pool, { resource: sampleResource });

describe('events of two months (architecture, Event store)', () => {
  it('are stored in two partitions, and the rest stays usable after one partition is detached', async () => {
    const old = [await begin(madeIn(september)), await begin(madeIn(september))];
    const young = await begin(madeIn(october));
    expect(
      await database.sql(`SELECT tableoid::regclass::text AS partition, count(*)::int AS events
        FROM payments.events GROUP BY 1 ORDER BY 1`),
    ).toEqual([
      { partition: 'payments.events_2026_10', events: 2 },
      { partition: 'payments.events_2026_9', events: 4 },
    ]);
    await sequenceAll();
    await anchorLog(pool);
    expect(await verified()).toMatchObject({ events: 6, findings: [], detached: 0, anchor: { pos: 6 } });

    await database.sql('ALTER TABLE payments.events DETACH PARTITION payments.events_2026_9');
    await store.change(young, () => ({ events: [counted(3)] }), { actor: 'tester' });
    const youngest = await begin(madeIn(october));
    await sequenceAll();
    await anchorLog(pool);
    const left = [5, 6, 7, 8, 9];
    expect(await read()).toEqual(left);
    expect(await projected()).toEqual(left);
    expect(await store.history(old[0] ?? '')).toEqual([]);
    expect(await store.load(youngest)).toMatchObject({ version: 2, state: { total: 3 } });
    expect(await verified()).toMatchObject({ events: 5, findings: [], detached: 4, anchor: { pos: 9 } });
    expect(await inlineViewDifferences(pool, store)).toEqual([]);

    await database.sql(
      "UPDATE payments.events SET hash = sha256('another') WHERE stream_id = $1 AND version = 3",
      [young],
    );
    await database.sql('DELETE FROM payments.events WHERE stream_id = $1 AND version = 2', [youngest]);
    const { findings } = await verified();
    expect(findings.map(({ kind, pos, version }) => [kind, pos ?? version])).toEqual([
      ['changed', 3],
      ['truncated', 2],
      ['deleted', 9],
      ['truncated', 9],
    ]);
  });

  it('are looked up only in their own partition', async () => {
    await database.sql(
      'ALTER TABLE payments.events ATTACH PARTITION payments.events_2026_9 ' +
        `FOR VALUES FROM ('${firstId(september)}') TO ('${firstId(october)}')`,
    );
    const plan = async (text: string, values: unknown[]): Promise<string> =>
      (await database.sql(`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${text}`, values))
        .map((row) => String(row['QUERY PLAN']))
        .join('\n');
    const ofOne = await plan('SELECT FROM payments.events WHERE stream_id = $1', [madeIn(october)]);
    expect(ofOne).not.toMatch(/events_2026_9|events_default/);
    await database.sql('SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off');
    const joined = await plan(
      'SELECT FROM payments.log l JOIN payments.events e USING (stream_id, version) WHERE l.pos = $1',
      [5],
    );
    expect(joined).toMatch(/events_2026_9_pkey.*\(never executed\)/);
    expect(joined).toMatch(/events_default_pkey.*\(never executed\)/);
  });
});
