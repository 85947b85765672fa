import type { Pool } from 'pg';

/** Another run archives or restores a month of this schema. */
export class ArchiveUnderWay extends Error {
  override readonly name = 'ArchiveUnderWay';
}

/** Two runs at once would exchange each other's tables: one holds an advisory lock of its schema. Throws {@link ArchiveUnderWay}. */
export const archiveAlone = async <Result>(pool: Pool, work: () => Promise<Result>): Promise<Result> => {
  const session = await pool.connect();
  // A session that is lost has no lock any more; what the work does next is checked by itself.
  session.on('error', () => undefined);
  try {
    const { rows } = await session.query<{ held: boolean }>(
      "SELECT pg_try_advisory_lock(hashtextextended(current_schema() || '.archive', 0)) AS held",
    );
    if (rows[0]?.held !== true)
      throw new ArchiveUnderWay('another run archives or restores a month: wait until it has ended');
    return await work();
  } finally {
    // A session that was lost has nothing to give back; an error of the work counts.
    await session.query('SELECT pg_advisory_unlock_all()').catch(() => undefined);
    session.release(true);
  }
};
