import type { DatabaseReport } from '@xs2a/contracts/console/database.contract';
import type { Pool } from 'pg';
import { findMissing } from './migrations-applied.js';

/** Measures the database of a pool, and compares its migrations with those that this release needs, by class name. */
export const measureDatabase = async (pool: Pool, needed: readonly string[]): Promise<DatabaseReport> => {
  const [missing, { rows }] = await Promise.all([
    findMissing(pool, needed),
    pool.query<{ database: number; schema: number; applied: number }>({
      name: 'database-size',
      text: `SELECT pg_database_size(current_database()) AS database,
        (SELECT count(*) FROM migration) AS applied,
        (SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
          WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'm')) AS schema`,
    }),
  ]);
  const { database = 0, schema = 0, applied = 0 } = rows[0] ?? {};
  return {
    databaseBytes: database,
    schemaBytes: schema,
    migrations: { applied, needed: needed.length, missing },
  };
};
