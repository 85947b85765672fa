import type { Pool } from 'pg';

/** Another run archives or restores a month of this schema. */
export class ArchiveUnderWay extends Error {
  override readonly name = 'ArchiveUnderWay';
}

/** Throws {@link ArchiveUnderWay} when the lock was lost with its session: another run may be at work by now. */
export type MustHoldLock = () => Promise<void>;

/**
 * Does work while no other run archives or restores a month of the same schema, since two at once would exchange each other's tables.
 * It holds an advisory lock of PostgreSQL. Throws {@link ArchiveUnderWay} when another run holds that lock. The work asks whether it
 * still holds the lock before each step that cannot be taken back.
 */
export const withArchiveLock = async <Result>(
  pool: Pool,
  work: (mustHoldLock: MustHoldLock) => Promise<Result>,
): Promise<Result> => {
  const session = await pool.connect();
  // Without a listener a lost connection would end the process; the next query to it fails, and that error is reported.
  session.on('error', () => undefined);
  const mustHoldLock = async (): Promise<void> => {
    await session.query('SELECT 1').catch((error: unknown) => {
      throw new ArchiveUnderWay('the connection that excludes other runs was lost: run this again', {
        cause: error,
      });
    });
  };
  try {
    const { rows } = await session.query<{ held: boolean }>(
      "SELECT pg_try_advisory_lock(hashtextextended(current_schema() || '.archive', 0)) AS held",
    );
    if (rows[0]?.held !== true)
      throw new ArchiveUnderWay('another run archives or restores a month: wait until it has ended');
    return await work(mustHoldLock);
  } finally {
    // Unlocked here, so that the next run need not wait until PostgreSQL has noticed that the session ended. The error is left aside:
    // only a connection that was lost fails, its lock is gone with it, and the error of the work is the one to read.
    await session.query('SELECT pg_advisory_unlock_all()').catch(() => undefined);
    session.release(true);
  }
};
