import { makeMonths } from './event-months.js';
import { DataSource, type MigrationInterface } from 'typeorm';

export interface MigrationSet {
  /** Connection URL of the role that owns the schema. */
  readonly url: string;
  readonly schema: string;
  readonly migrations: readonly (new () => MigrationInterface)[];
}

/**
 * Brings a schema to the newest version, each migration in a transaction of its own; answers the names it ran. Where events
 * are partitioned it also makes the partitions of the coming months, at every run.
 */
export const runMigrations = async ({ url, schema, migrations }: MigrationSet): Promise<string[]> => {
  const source = new DataSource({
    type: 'postgres',
    url,
    schema,
    extra: { options: `-c search_path=${schema}` },
    migrationsTableName: 'migration',
    migrations: [...migrations],
    logging: false,
  });
  await source.initialize();
  try {
    const ran = await source.runMigrations({ transaction: 'each' });
    const runner = source.createQueryRunner();
    try {
      for (const leftOut of await makeMonths(runner, schema)) process.emitWarning(leftOut);
    } finally {
      await runner.release();
    }
    return ran.map((migration) => migration.name);
  } finally {
    await source.destroy();
  }
};
