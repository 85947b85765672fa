import { DataSource, type MigrationInterface } from 'typeorm';

export interface MigrationSet {
  /** As the role that owns the schema. */
  readonly url: string;
  readonly schema: string;
  readonly migrations: readonly (new () => MigrationInterface)[];
}

/** Brings a schema to the newest version, each migration in a transaction of its own; answers the names it ran. */
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
    return ran.map((migration) => migration.name);
  } finally {
    await source.destroy();
  }
};
