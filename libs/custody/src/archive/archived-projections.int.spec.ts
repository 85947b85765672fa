import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createProjection, projectionTables } from '@xs2a/event-store/projections/projection.tables';
import type { Projection } from '@xs2a/event-store/projections/projection';
import { projectionDifferences, rebuildProjection } from '@xs2a/event-store/projections/rebuild';
import { ProjectionRunner } from '@xs2a/event-store/projections/runner';
import { listProjections } from '@xs2a/event-store/projections/checkpoints';
import { sampleTypes, silent } from '@xs2a/event-store/testing/sample-stream';
import { until } from '@xs2a/nats/testing/until';
import type { ArchiveOptions } from './archive-month.js';
import { SampleArchive, stopAt } from '../testing/sample-archive.js';

const byOf = (data: unknown): number => (data as { by: number }).by;
/** The number of events, and the sum of the values that they counted. */
const sums: Projection = {
  name: 'sample_sums',
  version: 1,
  purpose: 'what was counted',
  columns: 'name text NOT NULL, events bigint NOT NULL, total bigint NOT NULL',
  key: ['name'],
  apply: async (client, { table, month }, events) => {
    await client.query(
      `INSERT INTO ${table} AS kept (month, name, events, total) SELECT $2, 'all', count(*), sum(by) FROM unnest($1::bigint[]) AS by
       ON CONFLICT (month, name) DO UPDATE SET events = kept.events + excluded.events, total = kept.total + excluded.total`,
      [events.map(({ data }) => byOf(data)), month],
    );
  },
};

let sample: SampleArchive;

beforeAll(async () => {
  sample = await SampleArchive.start();
  await sample.database.sql(projectionTables('payments', 'xs2a_payments'));
  await sample.database.sql(createProjection('payments', 'xs2a_payments', sums));
}, 60_000);
afterAll(async () => sample.stop());
beforeEach(async () => {
  await sample.clear();
  await sample.database.sql('TRUNCATE payments.sample_sums; UPDATE payments.projection SET pos = 0');
  await sample.fill();
  await follow();
}, 60_000);

/** Runs the projection until it has read the log. */
const follow = async (): Promise<void> => {
  const runner = new ProjectionRunner({
    pool: sample.pool,
    projections: [sums],
    types: sampleTypes,
    logger: silent,
  });
  runner.start();
  await until(async () => expect((await listProjections(sample.owner))[0]?.behind).toBe(0));
  await runner.stop();
};
const archive = async (options: Partial<ArchiveOptions> = {}) =>
  sample.archive({ projections: [sums], ...options });
const building = () => ({ pool: sample.owner, projection: sums, types: sampleTypes, batchSize: 2 });
const rebuild = async () => rebuildProjection(building());
const restore = async (file: string, onStep?: Parameters<typeof stopAt>[0]) =>
  sample.restore(file, { onStep: onStep === undefined ? undefined : stopAt(onStep) });
const readSums = async () =>
  sample.database.sql('SELECT month, events::int, total::int FROM payments.sample_sums ORDER BY month');
const mustBeRight = async (): Promise<void> => expect(await projectionDifferences(building())).toBe(0);
const all = [
  { month: '2026-03', events: 7, total: 12 },
  { month: '2026-04', events: 3, total: 6 },
];

describe('projections of an archived month (docs/how-to/archive.md)', () => {
  it('keep the rows of the month, even after a rebuild and after a restore', async () => {
    expect(await readSums()).toEqual(all);
    const { file } = await archive();
    expect(await rebuild()).toMatchObject({ kept: ['2026-03'] });
    expect(await readSums()).toEqual(all);
    await mustBeRight();
    await restore(file);
    expect(await rebuild()).toMatchObject({ kept: [] });
    expect(await readSums()).toEqual(all);
    await mustBeRight();
  }, 60_000);

  it('block archiving until they have read all events of the month', async () => {
    await sample.database.sql('UPDATE payments.projection SET pos = 1');
    await expect(archive()).rejects.toThrow('sample_sums has not read all events of the month yet');
  }, 60_000);

  it('block archiving while their rows are of another version, which could not be rebuilt later', async () => {
    const next = { ...sums, version: 2 };
    await expect(archive({ projections: [next] })).rejects.toThrow('sample_sums is outdated');
    await rebuildProjection({ ...building(), projection: next });
    await archive({ projections: [next] });
    await sample.database.sql('UPDATE payments.projection SET version = 1');
  }, 60_000);

  it.each(['recorded', 'ranges', 'detached', 'log'] as const)(
    'keep the rows of the month if an archive run is interrupted after %s, the projection rebuilt, and the run repeated',
    async (step) => {
      await expect(archive({ onStep: stopAt(step) })).rejects.toThrow('stopped');
      expect(await rebuild()).toMatchObject({ kept: ['2026-03'] });
      await archive();
      expect(await readSums()).toEqual(all);
      await mustBeRight();
    },
    60_000,
  );

  it.each(['loaded', 'attached', 'rebuilt'] as const)(
    'keep the rows of the month if a restore is interrupted after %s, the projection rebuilt, and the restore repeated',
    async (step) => {
      const { file } = await archive();
      await expect(restore(file, step)).rejects.toThrow('stopped');
      expect(await rebuild()).toMatchObject({ kept: ['2026-03'] });
      await restore(file);
      expect(await readSums()).toEqual(all);
      await mustBeRight();
    },
    60_000,
  );

  it('count each event once, however a rebuild races with archiving and restoring', async () => {
    for (let race = 0; race < 8; race += 1) {
      const [archived] = await Promise.all([archive(), rebuild()]);
      expect(await readSums()).toEqual(all);
      await Promise.all([rebuild(), restore(archived.file)]);
      expect(await readSums()).toEqual(all);
      await mustBeRight();
      sample.clearFolder();
    }
  }, 120_000);
});
