import { isUniqueViolation } from '@xs2a/postgres/errors';
import { sessionLockTable, setForSession, takeLock, vanishedHostSettings } from '@xs2a/postgres/session-lock';
import type { QueryRunner } from 'typeorm';
import { setTimeout as wait } from 'node:timers/promises';

const everyMs = 500;

/**
 * Makes this session the only one that migrates the schema, until it ends; waits while another one is. The session that has the lock
 * does the work as well, so that a job that has lost the lock has lost the work under way, too; a server that still builds an index for a process
 * that is gone keeps the session, and the lock with it, until then. The table of locks is made here: no migration can, since each runs with
 * the lock.
 */
export const holdMigrationLock = async (
  session: Pick<QueryRunner, 'query'>,
  schema: string,
): Promise<void> => {
  await session.query(`SELECT ${setForSession(vanishedHostSettings)}`);
  await makeLockTable(session, schema);
  for (let tries = 1; ; tries += 1) {
    const taken = (await session.query(takeLock, ['migrations'])) as readonly unknown[];
    if (taken.length > 0) return;
    if (tries === 1) process.emitWarning(`another job migrates ${schema}; waiting until it has ended`);
    await wait(everyMs);
  }
};

const makeLockTable = async (session: Pick<QueryRunner, 'query'>, schema: string): Promise<void> => {
  const [{ there }] = (await session.query('SELECT to_regclass($1) IS NOT NULL AS there', [
    `${schema}.session_lock`,
  ])) as readonly [{ readonly there: boolean }];
  if (there) return;
  try {
    await session.query(sessionLockTable(schema));
  } catch (error) {
    // Another job was quicker, and makes it in one transaction with its rights.
    if (!isUniqueViolation(error)) throw error;
  }
};
