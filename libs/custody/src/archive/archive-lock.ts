import { type MustHoldLock, withSessionLock } from '@xs2a/postgres/session-lock';
import type { Pool } from 'pg';

/** Thrown if another run is archiving or restoring a month of this schema. */
export class ArchiveUnderWay extends Error {
  override readonly name = 'ArchiveUnderWay';
}

/**
 * Runs the work while no other run archives or restores a month of the same schema, because two concurrent runs
 * would exchange each other's tables. Throws {@link ArchiveUnderWay} if another run holds the lock, or if this run
 * has lost it and another run may have started since.
 */
export const withArchiveLock = async <Result>(
  pool: Pool,
  work: (mustHoldLock: MustHoldLock) => Promise<Result>,
): Promise<Result> =>
  withSessionLock(
    pool,
    'archive',
    {
      refused: () =>
        new ArchiveUnderWay('another run is archiving or restoring a month: wait until it has finished'),
      lost: (cause) =>
        new ArchiveUnderWay('the connection that excludes other runs was lost: run this again', { cause }),
    },
    work,
  );
