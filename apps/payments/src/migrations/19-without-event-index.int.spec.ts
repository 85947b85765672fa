import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventType } from '@xs2a/domain/event-types';
import type { Projection } from '@xs2a/event-store/projections/projection';
import { createProjection } from '@xs2a/event-store/projections/projection.tables';
import { ProjectionRunner } from '@xs2a/event-store/projections/runner';
import { type OldRelease, oldRelease } from '@xs2a/migrations/testing/old-release';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { until } from '@xs2a/nats/testing/until';
import { createLogger } from '@xs2a/observability/logger';
import { newId } from '@xs2a/runtime/ids';
import { migrations, schema } from './index.js';

/** A read model as an instance of the release before follows it: a row for each position. */
const rowsByPosition = (name: string): Projection => ({
  name,
  version: 1,
  purpose: 'positions',
  columns: 'pos bigint PRIMARY KEY',
  apply: async (client, table, events) => {
    await client.query(`INSERT INTO ${table} SELECT unnest($1::bigint[])`, [events.map(({ pos }) => pos)]);
  },
});
const [gone, kept] = [rowsByPosition('payment_event_index'), rowsByPosition('kept')];

let release: OldRelease;
let runner: ProjectionRunner;

beforeAll(async () => {
  release = await oldRelease(schema);
  await runMigrations({ url: release.ownerUrl, schema, migrations: migrations.slice(0, 18) });
  for (const projection of [gone, kept])
    await release.owner.query(createProjection(schema, 'xs2a_payments', projection));
  runner = new ProjectionRunner({
    pool: release.pool,
    projections: [gone, kept],
    types: { initiated: eventType('It was initiated.') },
    logger: createLogger('test', 'silent'),
  });
  runner.start();
}, 60_000);
afterAll(async () => {
  await runner?.stop();
  await release?.close();
});

const append = async (pos: number): Promise<void> => {
  const streamId = newId();
  await release.owner.query(
    `INSERT INTO events (event_id, stream_id, version, type, schema_version, data, meta, occurred_at, prev_hash, hash)
     VALUES ($1, $1, 1, 'initiated', 1, '{}', '{}', now(), '', '')`,
    [streamId],
  );
  await release.owner.query('INSERT INTO log (pos, stream_id, version) VALUES ($1, $2, 1)', [pos, streamId]);
};
const positions = async (name: string): Promise<unknown[]> =>
  (await release.owner.query<{ pos: number }>(`SELECT pos FROM ${name} ORDER BY pos`)).rows.map(
    ({ pos }) => pos,
  );

it('an instance of the release before goes on with its other read models, and misses nothing', async () => {
  await append(1);
  await until(async () => {
    expect(await positions('payment_event_index')).toEqual([1]);
    expect(await positions('kept')).toEqual([1]);
  });
  await runMigrations({ url: release.ownerUrl, schema, migrations });
  const { rows } = await release.owner.query(
    `SELECT relname FROM pg_class WHERE relname LIKE 'payment_event_index%'`,
  );
  expect(rows).toEqual([]);
  await append(2);
  await until(async () => expect(await positions('kept')).toEqual([1, 2]));
  expect(runner.degraded()).toBeUndefined();
}, 60_000);
