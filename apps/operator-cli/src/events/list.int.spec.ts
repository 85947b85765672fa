import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createProjection, projectionTables } from '@xs2a/event-store/projections/projection.tables';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { readModels } from './defined-read-models.js';
import { Connections } from '../connections.js';
import { type EventList, type EventQuery, listEvents, matching, maxLookedAt } from './list.js';

/** An event a second; every thousandth of the rare TPP, and one cancellation at the very begin. */
const events = 250_000;
const begunMs = Date.parse('2026-01-01T00:00:00Z');
const timeAt = (pos: number): number => begunMs + pos * 1000;

const folder = mkdtempSync(join(tmpdir(), 'xs2a-event-list-'));
let server: PostgresServer;
let connections: Connections;
let reader: Pool;

beforeAll(async () => {
  server = await startPostgres({ dataDir: join(folder, 'pg'), durable: false });
  await prepareDatabases(server.url());
  process.env.SANDBOX = 'true';
  process.env.DATABASE_URL = server.url('xs2a_owner');
  process.env.NATS_URL = 'nats://127.0.0.1:1';
  connections = Connections.find();
  const owner = connections.pool('payments');
  await owner.query(projectionTables('payments', 'xs2a_payments'));
  await owner.query('CREATE TABLE log (pos bigint PRIMARY KEY)');
  for (const projection of readModels.paymentProjections('Europe/Sofia')) {
    await owner.query(createProjection('payments', 'xs2a_payments', projection));
  }
  await owner.query(
    `INSERT INTO payment_event_index (pos, occurred_at, type, payment_id, tpp_id)
     SELECT pos, to_timestamp($2::float8 / 1000 + pos), CASE pos WHEN 3 THEN 'cancelled' ELSE 'initiated' END,
       gen_random_uuid(), CASE WHEN pos % 1000 = 0 THEN 'rare' ELSE 'frequent' END
     FROM generate_series(1, $1::int) AS pos`,
    [events, begunMs],
  );
  await owner.query('INSERT INTO log SELECT generate_series(1, $1::int)', [events + 12]);
  await owner.query('UPDATE projection SET pos = $1', [events]);
  await owner.query('ANALYZE');
  reader = connections.reader('payments');
}, 120_000);
afterAll(async () => {
  await connections?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 30_000);

const list = async (query: Partial<EventQuery>): Promise<EventList> =>
  listEvents(reader, { limit: 50, ...query });
const positions = ({ events: listed }: EventList): number[] => listed.map(({ pos }) => pos);

interface Plan {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}
const listNodes = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(listNodes)];

/** The plan of PostgreSQL: the index, and the number of its rows that were read. */
const found = async (tpp: string | null, types: readonly string[] | null) => {
  const { rows } = await reader.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${matching}`,
    [1, events + 1, tpp, types, null, null, 50, maxLookedAt],
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  const nodes = plan === undefined ? [] : listNodes(plan);
  const leaf = nodes.at(-1);
  return {
    kinds: [...new Set(nodes.map((node) => node['Node Type']))].sort(),
    index: leaf?.['Index Name'],
    rows: (leaf?.['Actual Rows'] ?? 0) + (leaf?.['Rows Removed by Filter'] ?? 0),
  };
};

describe(`the newest events among ${events}`, () => {
  it('are found along an index, without looking at more than need be', async () => {
    const byPos = { index: 'payment_event_index_1_pkey', kinds: ['Index Scan', 'Limit', 'Subquery Scan'] };
    const byTpp = { ...byPos, index: 'payment_event_index_1_1' };
    expect(await found(null, null)).toMatchObject({ index: byPos.index, rows: 50 });
    expect(await found('rare', null)).toMatchObject({ index: byTpp.index, rows: 50 });
    expect(await found('nobody', null)).toMatchObject({ index: byTpp.index, rows: 0 });
    expect(await found(null, ['cancelled'])).toEqual({ ...byPos, rows: maxLookedAt });
    expect(await found('rare', ['cancelled'])).toEqual({ ...byTpp, rows: events / 1000 });
  });

  it('are those of the TPP and type, the newest last', async () => {
    expect(positions(await list({ limit: 3 }))).toEqual([events - 2, events - 1, events]);
    expect(positions(await list({ tpp: 'rare', limit: 2 }))).toEqual([events - 1000, events]);
    expect(positions(await list({ tpp: 'frequent', types: ['initiated'], limit: 1 }))).toEqual([events - 1]);
  });

  it('of a period are found by halves, wherever it is', async () => {
    const period = { fromMs: timeAt(1000), untilMs: timeAt(1003) };
    expect(await list(period)).toMatchObject({ stoppedAt: null });
    expect(positions(await list(period))).toEqual([1000, 1001, 1002]);
    expect(positions(await list({ ...period, tpp: 'rare' }))).toEqual([1000]);
    expect(positions(await list({ untilMs: timeAt(4), types: ['cancelled'] }))).toEqual([3]);
    expect(positions(await list({ untilMs: timeAt(1) }))).toEqual([]);
    expect(positions(await list({ fromMs: timeAt(events + 1) }))).toEqual([]);
  });

  it('are looked for so far and no further; where it stopped, one can go on', async () => {
    const { events: none, stoppedAt } = await list({ types: ['cancelled'] });
    const pos = events - maxLookedAt;
    expect([none, stoppedAt]).toEqual([[], { pos, time: new Date(timeAt(pos)).toISOString() }]);
    const onwards = await list({ types: ['cancelled'], untilMs: timeAt(pos) + 1 });
    expect(onwards.stoppedAt?.pos).toBeLessThanOrEqual(pos - maxLookedAt + 120);
    const last = await list({ types: ['cancelled'], untilMs: Date.parse(onwards.stoppedAt?.time ?? '') + 1 });
    expect([positions(last), last.stoppedAt]).toEqual([[3], null]);
  });

  it('say how far the read model is behind the log', async () => {
    expect((await list({})).behind).toBe(12);
  });
});

describe('the connection of readers', () => {
  it('can write nothing', async () => {
    await expect(reader.query('DELETE FROM payment_event_index_1')).rejects.toThrow('read-only transaction');
  });
});
