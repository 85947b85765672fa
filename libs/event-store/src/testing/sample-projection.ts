import type { EventTypes } from '@xs2a/events/event-types';
import { until } from '@xs2a/nats/testing/until';
import { newId } from '@xs2a/runtime/ids';
import type { Pool } from 'pg';
import { listProjections } from '../projections/checkpoints.js';
import { createProjection, projectionTables } from '../projections/projection.tables.js';
import type { Projection } from '../projections/projection.js';
import { rebuildProjection, type RebuildOptions } from '../projections/rebuild.js';
import { ProjectionRunner } from '../projections/runner.js';
import { logHead } from '../recovery/log-gaps.js';
import type { EventStore } from '../streams/event-store.js';
import {
  counted,
  type SampleDatabase,
  type SampleEvent,
  type SampleState,
  silent,
  sampleTypes,
  startSampleDatabase,
} from './sample-stream.js';
import { sequenceAll } from './sequence-all.js';

/** The sum, times the version, and the number of the counted events, by note. */
export const sums = (version = 1): Projection => ({
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

/** The sample stream with the projection {@link sums}. For tests of projections. */
export class SampleProjection {
  readonly pool: Pool;
  readonly owner: Pool;
  readonly store: EventStore<SampleEvent, SampleState>;
  private readonly runners: ProjectionRunner[] = [];

  private constructor(readonly database: SampleDatabase) {
    this.pool = database.pool();
    this.owner = database.superuserPool('payments');
    this.store = database.store(this.pool);
  }

  static async start(): Promise<SampleProjection> {
    const sample = new SampleProjection(await startSampleDatabase());
    await sample.sql(projectionTables('payments', 'xs2a_payments'));
    return sample;
  }

  async sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]> {
    return this.database.sql(text, values);
  }

  /** Empties the tables and creates the projection again. */
  async clear(): Promise<void> {
    await this.sql(
      'TRUNCATE payments.events, payments.log, payments.unsequenced, payments.sample_view, payments.projection',
    );
    await this.sql('DROP TABLE IF EXISTS payments.sample_sums');
    await this.sql(createProjection('payments', 'xs2a_payments', sums()));
  }

  /** Appends two events to each of `count` streams. */
  async append(count: number): Promise<void> {
    await Promise.all(
      Array.from({ length: count }, (_, index) => ({
        streamId: newId(),
        events: [counted(1, `note ${index % 7}`), counted(2, `note ${index % 7}`)],
        actor: 'tester',
      })).map(async (change) => this.store.append(change)),
    );
    await sequenceAll(this.pool);
  }

  follow(projection = sums(), pool = this.pool, known: EventTypes = sampleTypes): ProjectionRunner {
    const runner = new ProjectionRunner({
      pool,
      projections: [projection],
      types: known,
      logger: silent,
    });
    runner.start();
    this.runners.push(runner);
    return runner;
  }

  async rebuild(options: Partial<RebuildOptions> = {}): ReturnType<typeof rebuildProjection> {
    return rebuildProjection({
      pool: this.owner,
      projection: sums(),
      types: sampleTypes,
      batchSize: 100,
      ...options,
    });
  }

  async live(): Promise<Record<string, unknown>[]> {
    return this.sql(
      'SELECT note, sum(events)::int AS events, sum(total)::int AS total FROM payments.sample_sums GROUP BY note ORDER BY note',
    );
  }

  /** Returns the expected rows of a version, computed from the events in SQL only. */
  async expected(version = 1): Promise<Record<string, unknown>[]> {
    const rows =
      await this.sql(`SELECT data->>'note' AS note, count(*)::int AS events, sum((data->>'by')::int)::int AS total
      FROM payments.events JOIN payments.log USING (stream_id, version) GROUP BY 1 ORDER BY 1`);
    return rows.map((row) => ({ ...row, total: Number(row['total']) * version }));
  }

  async cutOff(name: string): Promise<void> {
    await this.sql('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [
      name,
    ]);
  }

  /** Waits until the projection contains every event that has a position. */
  async caughtUp(): Promise<void> {
    const head = await logHead(this.pool);
    await until(async () => {
      const [checkpoint] = await listProjections(this.owner);
      if (checkpoint === undefined || checkpoint.pos < head) throw new Error('the projection is behind');
    });
  }

  async stopRunners(): Promise<void> {
    await Promise.all(this.runners.splice(0).map(async (runner) => runner.stop()));
  }

  async stop(): Promise<void> {
    await this.database.stop();
  }
}
