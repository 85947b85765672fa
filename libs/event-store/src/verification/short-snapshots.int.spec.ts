// Lane: long (it takes half a minute).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@xs2a/runtime/ids';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { inlineViewDifferences, rebuildInlineView } from '../projections/inline-view-rebuild.js';
import type { Projection } from '../projections/projection.js';
import { createProjection, projectionTables } from '../projections/projection.tables.js';
import { projectionDifferences, rebuildProjection } from '../projections/rebuild.js';
import { sequenceAll } from '../testing/sequence-all.js';
import {
  counted,
  type SampleDatabase,
  type SampleStore,
  startSampleDatabase,
  sampleResource,
  sampleTypes,
} from '../testing/sample-stream.js';
import { anchorLog } from './log-anchor.js';
import { verifyStreams } from './verify-events.js';

const streams = 8000;
const eventsOfStream = 10;
const keys = 60_000;

const sums: Projection = {
  name: 'sample_sums',
  version: 1,
  purpose: 'what was counted, by stream',
  types: ['counted'],
  columns: 'stream_id uuid NOT NULL, total bigint NOT NULL',
  key: ['stream_id'],
  apply: async (client, { table, month }, events) => {
    await client.query(
      `INSERT INTO ${table} AS kept (month, stream_id, total)
       SELECT $3, id, sum(by) FROM unnest($1::uuid[], $2::bigint[]) AS e (id, by) GROUP BY id
       ON CONFLICT (month, stream_id) DO UPDATE SET total = kept.total + excluded.total`,
      [events.map(({ streamId }) => streamId), events.map(({ data }) => (data as { by: number }).by), month],
    );
  },
};

let database: SampleDatabase;
let pool: Pool;
let owner: Pool;
let store: SampleStore;

beforeAll(async () => {
  database = await startSampleDatabase();
  pool = database.pool();
  owner = database.superuserPool('payments');
  store = database.store(pool);
  const events = Array.from({ length: eventsOfStream }, (_, index) => counted(index + 1, 'a note'));
  for (let done = 0; done < streams; done += 1000) {
    const changes = Array.from({ length: 1000 }, () => ({ streamId: newId(), events, actor: 'tester' }));
    await Promise.all(changes.map(async (change) => store.append(change)));
    await sequenceAll(pool);
  }
  await database.sql(projectionTables('payments', 'xs2a_payments'));
  await database.sql(createProjection('payments', 'xs2a_payments', sums));
  await database.sql(`INSERT INTO payments.idempotency_key (tpp_id, path, key, hash, key_name, answer, expires_at)
    SELECT 'tpp', 'POST /payments', n::text, '', 'test', '{}', now() - interval '1 day' FROM generate_series(1, ${keys}) AS n`);
}, 120_000);
afterAll(async () => database.stop());

/** The duration of an operation and the age of its oldest transaction, in milliseconds. */
interface Ages {
  readonly tookMs: number;
  readonly oldestMs: number;
}
const measureAges = async (work: () => Promise<unknown>): Promise<Ages> => {
  const over = new AbortController();
  let oldestMs = 0;
  const watching = (async (): Promise<void> => {
    while (!over.signal.aborted) {
      const [row] = await database.sql(
        `SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0)::float8 * 1000 AS ms FROM pg_stat_activity
         WHERE application_name IN ('event-store-test', 'owner') AND backend_xmin IS NOT NULL`,
      );
      oldestMs = Math.max(oldestMs, Number(row?.['ms']));
      await pause(5);
    }
  })();
  const begun = performance.now();
  await work().finally(() => over.abort());
  const tookMs = performance.now() - begun;
  await watching;
  return { tookMs, oldestMs };
};
const rebuilding = () => ({
  pool: owner,
  projection: sums,
  types: sampleTypes,
  batchSize: 5000,
});
const removeKeys = async (): Promise<void> => {
  while ((await store.idempotencyKeys.prune(10_000)) > 0);
};

/** While an older transaction is open, rows deleted by other transactions cannot be vacuumed. */
describe('operations over all stored data (quality, Reliability)', () => {
  it.each([
    [
      'verification',
      async () => expect((await verifyStreams(pool, { resource: sampleResource })).findings).toEqual([]),
    ],
    [
      'the comparison of a status view',
      async () => expect(await inlineViewDifferences(pool, store)).toEqual([]),
    ],
    [
      'the rebuild of a status view',
      async () => {
        await database.sql('UPDATE payments.sample_view SET total = 0');
        expect((await rebuildInlineView(pool, store)).written).toBe(streams);
      },
    ],
    ['the rebuild of a projection', async () => rebuildProjection(rebuilding())],
    ['the comparison of a projection', async () => expect(await projectionDifferences(rebuilding())).toBe(0)],
    ['the removal of idempotency keys', removeKeys],
    ['an anchor of the whole log', async () => anchorLog(pool)],
  ] as [string, () => Promise<unknown>][])(
    'never keep a transaction open for longer than one part takes: %s',
    async (what, work) => {
      const { tookMs, oldestMs } = await measureAges(work);
      process.stderr.write(
        `counts: ${what}: ${Math.round(tookMs)} ms, oldest transaction ${Math.round(oldestMs)} ms\n`,
      );
      expect(oldestMs).toBeGreaterThan(0);
      expect(oldestMs).toBeLessThan(2000);
      expect(oldestMs).toBeLessThan(tookMs / 2);
    },
    120_000,
  );
});
