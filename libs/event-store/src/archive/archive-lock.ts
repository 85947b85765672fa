import { type MustHoldLock, withSessionLock } from '@xs2a/postgres/session-lock';
import type { Pool } from 'pg';

/** Another run archives or restores a month of this schema. */
export class ArchiveUnderWay extends Error {
  override readonly name = 'ArchiveUnderWay';
}

/**
 * Does work while no other run archives or restores a month of the same schema, since two at once would exchange each other's tables.
 * Throws {@link ArchiveUnderWay} when another run has the lock, or when this one has lost it: another run may be at work by now.
 */
export const withArchiveLock = async <Result>(
  pool: Pool,
  work: (mustHoldLock: MustHoldLock) => Promise<Result>,
): Promise<Result> =>
  withSessionLock(
    pool,
    'archive',
    {
      refused: () => new ArchiveUnderWay('another run archives or restores a month: wait until it has ended'),
      lost: (cause) =>
        new ArchiveUnderWay('the connection that excludes other runs was lost: run this again', { cause }),
    },
    work,
  );
