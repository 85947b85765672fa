import type { QueryRunner } from 'typeorm';
import { setTimeout as wait } from 'node:timers/promises';

const everyMs = 500;

/**
 * Makes this session the only one that migrates the schema, until it ends; waits while another one is. It asks again and again: a
 * session that waited in `pg_advisory_lock` would be in a statement all the time, which `CREATE INDEX CONCURRENTLY` of the other one
 * waits for, so both would wait for ever. The session that holds the lock does the work as well, so that whoever has lost the
 * lock has lost the work under way, too; a server that still builds an index for a process that is gone keeps the lock until then.
 */
export const holdMigrationLock = async (
  session: Pick<QueryRunner, 'query'>,
  schema: string,
): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    const [{ held }] = (await session.query('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held', [
      `${schema}.migrations`,
    ])) as readonly [{ readonly held: boolean }];
    if (held) return;
    if (tries === 1) process.emitWarning(`another job migrates ${schema}; waiting until it has ended`);
    await wait(everyMs);
  }
};
