import { isPassing } from './beside-load.js';
import { makeMonths } from './event-months.js';
import { partTls } from '@xs2a/postgres/tls';
import pg from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { setTimeout as wait } from 'node:timers/promises';

export interface MigrationSet {
  /** Connection URL of the role that owns the schema; with `sslmode=verify-full`: {@link partTls}. */
  readonly url: string;
  readonly schema: string;
  readonly migrations: readonly (new () => MigrationInterface)[];
}

/** A migration that waits for a lock makes every statement behind it wait too: so long, and no longer. */
const lockTimeout = '500ms';
const maxTries = 60;
const betweenTriesMs = 1000;

/**
 * Brings a schema to the newest version, each migration in a transaction of its own unless it says `transaction = false`;
 * answers the names it ran. A lock that is not had within half a second is tried for again, for a minute. Where events are
 * partitioned it also makes the partitions of the coming months, at every run.
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
    const ran = await runPending(source);
    const runner = source.createQueryRunner();
    try {
      // By it the service knows whether the tables are those that its build needs.
      await runner.query(`GRANT SELECT ON "${schema}".migration TO "xs2a_${schema}"`);
      for (const leftOut of await makeMonths(runner, schema)) process.emitWarning(leftOut);
    } finally {
      await runner.release();
    }
    return ran;
  } finally {
    await source.destroy();
  }
};

/** Runs what is pending. Each migration is recorded, so a further try goes on behind the last one that ran. */
const runPending = async (source: DataSource): Promise<string[]> => {
  const applied = async (): Promise<string[]> => {
    const runner = source.createQueryRunner();
    try {
      const rows: { name: string }[] = (await runner.hasTable('migration'))
        ? await runner.query('SELECT name FROM migration ORDER BY id')
        : [];
      return rows.map(({ name }) => name);
    } finally {
      await runner.release();
    }
  };
  const before = new Set(await applied());
  for (let tries = 1; ; tries += 1) {
    try {
      await source.runMigrations({ transaction: 'each' });
      return (await applied()).filter((name) => !before.has(name));
    } catch (error) {
      if (tries === maxTries || !isPassing(error)) throw error;
      await wait(betweenTriesMs);
    }
  }
};
