import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { Connections } from '../connections.js';
import { type EventList, type EventQuery, listEvents, matching } from './list.js';

/**
 * The number of events, with one event per second, each for a different payment. Every thousandth event belongs to
 * the rare TPP, and there is one cancellation at the very start.
 */
const events = 250_000;
const begunMs = Date.parse('2026-01-01T00:00:00Z');
const timeAt = (pos: number): number => begunMs + pos * 1000;

const pageSize = 25_000;

/** A UUIDv7, as used for stream ids: it starts with the time in milliseconds. */
const streamId = (pos: number): string =>
  `${timeAt(pos).toString(16).padStart(12, '0')}70008${pos.toString(16).padStart(15, '0')}`;

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
  await owner.query(`
    CREATE TABLE log (pos bigint PRIMARY KEY, stream_id uuid NOT NULL, version int NOT NULL, UNIQUE (stream_id, version));
    CREATE TABLE events (stream_id uuid, version int, type text, occurred_at timestamptz, PRIMARY KEY (stream_id, version))
      PARTITION BY RANGE (stream_id);
    CREATE TABLE events_1 PARTITION OF events FOR VALUES FROM (MINVALUE) TO ('${streamId(events / 2)}');
    CREATE TABLE events_2 PARTITION OF events FOR VALUES FROM ('${streamId(events / 2)}') TO (MAXVALUE);
    CREATE TABLE payment_view (stream_id uuid PRIMARY KEY, tpp_id text);
    CREATE TABLE basket_view (LIKE payment_view INCLUDING ALL)`);
  // Inserts pages that are small enough for the operator's statement timeout, even on a busy machine.
  for (let from = 1; from <= events; from += pageSize) {
    const page = [from, Math.min(events, from + pageSize - 1)];
    await owner.query(
      `INSERT INTO log SELECT pos, (lpad(to_hex($3::bigint + pos * 1000), 12, '0') || '70008' || lpad(to_hex(pos), 15, '0'))::uuid, 1
       FROM generate_series($1::int, $2::int) AS pos`,
      [...page, begunMs],
    );
    await owner.query(
      `INSERT INTO events SELECT stream_id, version, CASE pos WHEN 3 THEN 'cancelled' ELSE 'initiated' END,
         to_timestamp($3::float8 / 1000 + pos) FROM log WHERE pos BETWEEN $1 AND $2`,
      [...page, begunMs],
    );
    for (const [view, remainder] of [
      ['basket_view', '= 7'],
      ['payment_view', '<> 7'],
    ])
      await owner.query(
        `INSERT INTO ${view} SELECT stream_id, CASE WHEN pos % 1000 = 0 THEN 'rare' ELSE 'frequent' END
         FROM log WHERE pos BETWEEN $1 AND $2 AND pos % 10 ${remainder}`,
        page,
      );
  }
  await owner.query('ANALYZE');
  reader = connections.reader('payments');
}, 120_000);
afterAll(async () => {
  await connections?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 30_000);

const list = async (query: Partial<EventQuery>, maxPositions?: number): Promise<EventList> =>
  listEvents(reader, { limit: 50, ...query }, maxPositions);
const positions = ({ events: listed }: EventList): number[] => listed.map(({ pos }) => pos);

interface Plan {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}
const listNodes = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(listNodes)];

/** Returns details of PostgreSQL's plan: the types of scans, and how many of the newest 20,000 positions were read. */
const found = async (tpp: string | null, types: readonly string[] | null) => {
  const { rows } = await reader.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${matching}`,
    [events - 20_000 + 1, events + 1, tpp, types, null, null, 50],
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  const nodes = plan === undefined ? [] : listNodes(plan);
  return {
    scans: [
      ...new Set(nodes.map((node) => node['Node Type']).filter((kind) => /Scan|Join|Sort/.test(kind))),
    ].sort(),
    positions: nodes.find((node) => node['Index Name'] === 'log_pkey')?.['Actual Rows'],
  };
};

describe(`the newest events among ${events} (docs/how-to/operate.md)`, () => {
  it('are found with indexes, without reading more than necessary', async () => {
    const { scans, positions: first } = await found(null, null);
    expect(
      scans.filter((kind) => !['Index Scan', 'Index Only Scan', 'Subquery Scan'].includes(kind)),
    ).toEqual([]);
    expect(first).toBe(50);
    expect(await found('rare', null)).toEqual({ scans, positions: 20_000 });
    expect(await found('nobody', ['cancelled'])).toEqual({ scans, positions: 20_000 });
    expect(await found(null, ['cancelled'])).toEqual({ scans, positions: 20_000 });
  });

  it('are limited to the requested TPP and type, and listed with the newest last', async () => {
    expect(positions(await list({ limit: 3 }))).toEqual([events - 2, events - 1, events]);
    expect(positions(await list({ tpp: 'rare', limit: 2 }))).toEqual([events - 1000, events]);
    expect(positions(await list({ tpp: 'frequent', types: ['initiated'], limit: 1 }))).toEqual([events - 1]);
  });

  it('in a period are found by binary search, wherever the period is', async () => {
    const period = { fromMs: timeAt(1000), untilMs: timeAt(1003) };
    expect(await list(period)).toMatchObject({ stoppedAt: null });
    expect(positions(await list(period))).toEqual([1000, 1001, 1002]);
    expect(positions(await list({ ...period, tpp: 'rare' }))).toEqual([1000]);
    expect(positions(await list({ untilMs: timeAt(4), types: ['cancelled'] }))).toEqual([3]);
    expect(positions(await list({ untilMs: timeAt(1) }))).toEqual([]);
    expect(positions(await list({ fromMs: timeAt(events + 1) }))).toEqual([]);
  });

  it('are searched up to a limit, and the search can continue from where it stopped', async () => {
    const { events: none, stoppedAt } = await list({ types: ['cancelled'] }, 100_000);
    const pos = events - 100_000;
    expect([none, stoppedAt]).toEqual([[], { pos, time: new Date(timeAt(pos)).toISOString() }]);
    const onwards = await list({ types: ['cancelled'], untilMs: timeAt(pos) + 1 });
    expect([positions(onwards), onwards.stoppedAt]).toEqual([[3], null]);
  });

  it('are found even across positions that are no longer in the log', async () => {
    const gone = 'pos BETWEEN 100000 AND 200000';
    const owner = connections.pool('payments');
    await owner.query(`CREATE TABLE kept AS SELECT * FROM log WHERE ${gone}; DELETE FROM log WHERE ${gone}`);
    const found = await list({ types: ['cancelled'] }, events - 100_000);
    await owner.query('INSERT INTO log TABLE kept');
    expect([positions(found), found.stoppedAt]).toEqual([[3], null]);
  });
});

describe('the read-only connection', () => {
  it('rejects writes', async () => {
    await expect(reader.query('DELETE FROM log')).rejects.toThrow('read-only transaction');
  });
});
