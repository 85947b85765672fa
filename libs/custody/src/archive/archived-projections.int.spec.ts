import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventType, type EventTypes } from '@xs2a/events/event-types';
import {
  createArchivedSums,
  createProjection,
  projectionTables,
} from '@xs2a/event-store/projections/projection.tables';
import type { Projection } from '@xs2a/event-store/projections/projection';
import {
  projectionDifferences,
  rebuildProjection,
  RebuildUnderWay,
} from '@xs2a/event-store/projections/rebuild';
import { SampleArchive, stopAt } from '../testing/sample-archive.js';
import type { ArchiveOptions } from './archive-month.js';
import { NotArchived } from './archive-record.js';

const types: EventTypes<'counted' | 'emptied'> = {
  counted: eventType('It was counted up.'),
  emptied: eventType('It begins from zero.'),
};
const byOf = (data: unknown): number => (data as { by: number }).by;
/** The number of events, and the sum of the values that they counted. */
const sums: Projection = {
  name: 'sample_sums',
  version: 1,
  purpose: 'what was counted',
  columns: 'name text PRIMARY KEY, events bigint NOT NULL, total bigint NOT NULL',
  sums: { by: ['name'], of: ['events', 'total'] },
  apply: async (client, table, events) => {
    await client.query(
      `INSERT INTO ${table} AS kept (name, events, total) SELECT 'all', count(*), sum(by) FROM unnest($1::bigint[]) AS by
       ON CONFLICT (name) DO UPDATE SET events = kept.events + excluded.events, total = kept.total + excluded.total`,
      [events.map(({ data }) => byOf(data))],
    );
  },
};
const projections = [sums];

let sample: SampleArchive;

beforeAll(async () => {
  sample = await SampleArchive.start();
  await sample.database.sql(projectionTables('payments', 'xs2a_payments'));
  await sample.database.sql(createArchivedSums('payments', sums));
}, 60_000);
afterAll(async () => sample.stop());
beforeEach(async () => {
  await sample.clear();
  const { sql } = sample.database;
  await sql('TRUNCATE payments.projection, payments.sample_sums_archived');
  for (const { name } of projections) {
    await sql(`DROP VIEW IF EXISTS payments.${name}`);
    for (let build = 1; build < 10; build += 1) await sql(`DROP TABLE IF EXISTS payments.${name}_${build}`);
  }
  for (const projection of projections) await sql(createProjection('payments', 'xs2a_payments', projection));
  await sample.fill();
  for (const projection of projections) await rebuild(projection);
}, 60_000);

const building = (projection: Projection) => ({
  pool: sample.owner,
  schema: 'payments',
  serviceRole: 'xs2a_payments',
  projection,
  types,
  batchSize: 2,
});
const rebuild = async (projection: Projection) => rebuildProjection(building(projection));
const archive = async (options: Partial<ArchiveOptions> = {}) =>
  sample.archive({
    projections: { projections, types },
    ...options,
  });
const restore = async (file: string, onStep?: Parameters<typeof stopAt>[0]) =>
  sample.restore(file, {
    projections: { projections, types },
    onStep: onStep === undefined ? undefined : stopAt(onStep),
  });
const readSums = async () => sample.database.sql('SELECT events::int, total::int FROM payments.sample_sums');
const mustBeRight = async (): Promise<void> => {
  for (const projection of projections) expect(await projectionDifferences(building(projection))).toBe(0);
};
const all = [{ events: 10, total: 18 }];

describe('projections of an archived month (docs/how-to/archive.md)', () => {
  it('keep their sums, even after a rebuild and after a restore', async () => {
    expect(await readSums()).toEqual(all);
    const { file } = await archive();
    expect(await readSums()).toEqual(all);
    await mustBeRight();
    await rebuild(sums);
    expect(await readSums()).toEqual(all);
    await restore(file);
    expect(await readSums()).toEqual(all);
    await mustBeRight();
  }, 60_000);

  it.each(['attached', 'rebuilt'] as const)(
    'match the events when a restore is interrupted after %s and then repeated',
    async (step) => {
      const { file } = await archive();
      await expect(restore(file, step)).rejects.toThrow('stopped');
      await restore(file);
      expect(await readSums()).toEqual(all);
      await mustBeRight();
    },
    60_000,
  );

  it.each(['recorded', 'sums', 'detached', 'log'] as const)(
    'match the events when an archive run is interrupted after %s and then repeated, and are not rebuilt in between',
    async (step) => {
      await expect(archive({ onStep: stopAt(step) })).rejects.toThrow('stopped');
      await expect(rebuild(sums)).rejects.toThrow(RebuildUnderWay);
      await expect(rebuild(sums)).rejects.toThrow('2026-03 is being archived');
      await archive();
      await mustBeRight();
      expect(await readSums()).toEqual(all);
    },
    60_000,
  );

  it('are not rebuilt while the month is being restored', async () => {
    const { file } = await archive();
    await expect(restore(file, 'loaded')).rejects.toThrow('stopped');
    await expect(rebuild(sums)).rejects.toThrow('2026-03 is being restored');
    await restore(file);
    await mustBeRight();
  }, 60_000);

  it('block archiving and restoring while they are being rebuilt', async () => {
    const interruptedRebuild = async (): Promise<void> => {
      const stop = new AbortController();
      const rebuilding = rebuildProjection({
        ...building(sums),
        signal: stop.signal,
        onProgress: () => stop.abort(new Error('stopped')),
      });
      await expect(rebuilding).rejects.toThrow('stopped');
    };
    await interruptedRebuild();
    await expect(archive()).rejects.toThrow(
      'sample_sums has not read all events of the month yet, or is being rebuilt',
    );
    await rebuild(sums);
    const { file } = await archive();
    await interruptedRebuild();
    await expect(restore(file)).rejects.toThrow(NotArchived);
    await rebuild(sums);
    expect(await readSums()).toEqual(all);
  }, 60_000);

  it('count each event once, whether the rebuild or the archive run starts first', async () => {
    for (let race = 0; race < 8; race += 1) {
      const [archived] = await Promise.allSettled([archive(), rebuild(sums)]);
      const { file } = archived.status === 'fulfilled' ? archived.value : await archive();
      expect(await readSums()).toEqual(all);
      const [, restored] = await Promise.allSettled([rebuild(sums), restore(file)]);
      if (restored.status === 'rejected') await restore(file);
      expect(await readSums()).toEqual(all);
      await mustBeRight();
      sample.clearFolder();
    }
  }, 120_000);
});
