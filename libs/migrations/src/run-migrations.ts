import { eraseProgress } from './backfill.js';
import { makeMonths } from './event-months.js';
import { onceUnlocked } from './lock-waits.js';
import { holdMigrationLock } from './migration-lock.js';
import { partTls } from '@xs2a/postgres/tls';
import pg from 'pg';
import { DataSource, MigrationExecutor, type MigrationInterface, type QueryRunner } from 'typeorm';

export interface MigrationSet {
  /** Connection URL of the role that owns the schema; with `sslmode=verify-full`: {@link partTls}. */
  readonly url: string;
  readonly schema: string;
  readonly migrations: readonly (new () => MigrationInterface)[];
}

/** A migration that waits for a lock makes every statement behind it wait too: so long, and no longer. */
const lockTimeout = '500ms';

/**
 * Brings a schema to the newest version, each migration in a transaction of its own unless it says `transaction = false`;
 * answers the names it ran. A lock that is not had within half a second is tried for again, for a minute. Of two jobs at once
 * the second waits for the first. Where events are partitioned it also makes the partitions of the coming months, at every run.
 */
export const runMigrations = async ({ url, schema, migrations }: MigrationSet): Promise<string[]> => {
  const source = new DataSource({
    type: 'postgres',
    // Loaded by its name otherwise, which a bundle cannot follow (docs/adr/0052).
    driver: pg,
    ...partTls(url),
    schema,
    extra: { options: `-c search_path=${schema} -c lock_timeout=${lockTimeout}` },
    migrationsTableName: 'migration',
    migrations: [...migrations],
    logging: false,
  });
  await source.initialize();
  try {
    const runner = source.createQueryRunner();
    try {
      await holdMigrationLock(runner, schema);
      const ran = await runPending(source, runner);
      await runner.query(eraseProgress);
      // By it the service knows whether the tables are those that its build needs.
      await runner.query(`GRANT SELECT ON "${schema}".migration TO "xs2a_${schema}"`);
      for (const leftOut of await makeMonths(runner, schema)) process.emitWarning(leftOut);
      return ran;
    } finally {
      await runner.release();
    }
  } finally {
    await source.destroy();
  }
};

/** Runs what is pending. Each migration is recorded, so another try continues after the last one that ran. */
const runPending = async (source: DataSource, runner: QueryRunner): Promise<string[]> => {
  const executor = new MigrationExecutor(source, runner);
  executor.transaction = 'each';
  const pending = (await executor.getPendingMigrations()).map(({ name }) => name);
  await onceUnlocked(async () => executor.executePendingMigrations());
  return pending;
};
