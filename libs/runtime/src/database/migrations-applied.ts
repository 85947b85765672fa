import { NotReady } from '@xs2a/observability/health';
import type { Logger } from '@xs2a/observability/logger';
import type { Pool } from 'pg';
import { setTimeout as wait } from 'node:timers/promises';

const lookEveryMs = 250;
const end = (): never => process.exit(0);
/**
 * PostgreSQL's codes for a table that does not exist or may not be read. This release's migration job creates the
 * table and grants the privilege.
 */
const beforeFirstRun = new Set<unknown>(['42P01', '42501']);

/**
 * Compares the migrations in TypeORM's table, in the service's schema, with those that the build needs. Additional
 * ones are fine: they mean that a newer release has already migrated. Throws {@link NotReady} with the missing
 * ones, or PostgreSQL's error.
 */
export const checkMigrations = async (pool: Pool, needed: readonly string[]): Promise<void> => {
  const missing = await findMissing(pool, needed);
  if (missing.length > 0) throw new NotReady(`waits for the migration job: ${missing.join(', ')}`);
};

/**
 * Resolves once all migrations are applied. Until then nothing else in the service runs. Each reason for waiting
 * is logged once; SIGTERM and SIGINT end the process.
 */
export const untilMigrated = async (pool: Pool, needed: readonly string[], logger: Logger): Promise<void> => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end);
  let said = '';
  for (;;) {
    try {
      await checkMigrations(pool, needed);
      break;
    } catch (error) {
      const reason = error instanceof NotReady ? error.message : 'waits for PostgreSQL';
      if (reason !== said) logger.warn(error instanceof NotReady ? {} : { error }, reason);
      said = reason;
      await wait(lookEveryMs);
    }
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, end);
};

/** Returns the names of the needed migrations that have not run, in their order. */
export const findMissing = async (pool: Pool, needed: readonly string[]): Promise<readonly string[]> => {
  try {
    const { rows } = await pool.query<{ name: string }>({
      name: 'migrations-missing',
      text: `SELECT needed.name FROM unnest($1::text[]) WITH ORDINALITY AS needed (name, place)
        WHERE NOT EXISTS (SELECT FROM migration WHERE migration.name = needed.name) ORDER BY place`,
      values: [needed],
    });
    return rows.map(({ name }) => name);
  } catch (error) {
    if (beforeFirstRun.has(Reflect.get(Object(error), 'code'))) return needed;
    throw error;
  }
};
