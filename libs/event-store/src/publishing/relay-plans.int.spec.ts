import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { type SampleDatabase, startSampleDatabase } from '../testing/sample-stream.js';
import { maxBatch, RelayLog } from './relay-log.js';

const [months, streamsOfMonth, eventsOfStream] = [25, 2000, 6];
const events = months * streamsOfMonth * eventsOfStream;

/** SQL for the lowest id of a stream that began at the start of the month with this number. */
const lowestId = (month: string): string =>
  `(lpad(to_hex((extract(epoch FROM timestamptz '2025-01-01Z' + interval '1 month' * (${month})) * 1000)::bigint), 12, '0')
    || repeat('0', 20))::uuid`;

const addPartitions = `DO $$ BEGIN
  FOR month IN 0..${months - 1} LOOP
    EXECUTE format('CREATE TABLE payments.%I PARTITION OF payments.events FOR VALUES FROM (%L) TO (%L)',
      'events_of_' || month, ${lowestId('month')}, ${lowestId('month + 1')});
  END LOOP;
END $$`;

const addEvents = `WITH stored AS (
    INSERT INTO payments.events (stream_id, version, event_id, type, schema_version, data, meta, occurred_at, prev_hash, hash)
    SELECT overlay(${lowestId('month')}::text PLACING left(md5(stream::text), 12) FROM 25)::uuid, version, gen_random_uuid(),
      'counted', 1, '{}', '{"actor":"a"}', now(), '', ''
    FROM generate_series(0, ${months - 1}) AS month, generate_series(1, ${streamsOfMonth}) AS stream, generate_series(1, ${eventsOfStream}) AS version
    RETURNING stream_id, version)
  INSERT INTO payments.log (pos, stream_id, version) SELECT row_number() OVER (ORDER BY stream_id, version), stream_id, version FROM stored`;

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Plan[];
}
const listNodes = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(listNodes)];

let database: SampleDatabase;
let session: PoolClient;
beforeAll(async () => {
  database = await startSampleDatabase();
  await database.sql(addPartitions);
  await database.sql(addEvents);
  await database.sql('VACUUM (ANALYZE) payments.events, payments.log');
  session = await database.pool('relay').connect();
}, 120_000);
afterAll(async () => {
  session?.release();
  await database?.stop();
}, 30_000);

it('reads a refill batch by index scans in one process, however many months are stored', async () => {
  const log = await RelayLog.open(session);
  const from = events - 10_000;
  // After five executions, PostgreSQL caches one plan for all positions.
  for (let read = 0; read < 6; read += 1) expect(await log.read(from)).toHaveLength(maxBatch);
  const { rows } = await session.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE "log-read" (${from})`,
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  const nodes = plan === undefined ? [] : listNodes(plan);
  expect([...new Set(nodes.map((node) => node['Node Type']))].sort()).toEqual(
    expect.arrayContaining(['Append', 'Index Scan', 'Nested Loop']),
  );
  expect(
    nodes.map((node) => node['Node Type']).filter((type) => /Gather|Sort|Hash|Seq|Bitmap/.test(type)),
  ).toEqual([]);
  // Each event must be looked up only in the partition of its stream's month.
  const read = nodes.filter(
    (node) => node['Relation Name']?.startsWith('events_') && node['Actual Loops'] > 0,
  );
  expect(read.map((node) => node['Relation Name'])).toEqual([`events_of_${months - 1}`]);
}, 30_000);
