import { keyPages } from '@xs2a/postgres/key-pages';
import type { Pool, PoolClient } from 'pg';

/**
 * A range of the log whose events were archived. Its hashes replace the events in the chain of anchors: if the log
 * was changed before the range, its hash does not match `before`, and if the range was changed, the chain does not
 * match the anchors after it.
 */
export interface ArchivedRange {
  readonly firstPos: number;
  readonly lastPos: number;
  /** The hash of the log up to the position before the range, in hex. */
  readonly before: string;
  /** The hash of the log up to the range's last position, in hex. */
  readonly hash: string;
}

/** SQL that is true if the position was archived. Ranges do not overlap, so only the last one that begins before it matters. */
export const isArchivedPosition = (pos: string): string =>
  `${pos} <= (SELECT a.last_pos FROM log_archived a WHERE a.first_pos <= ${pos} ORDER BY a.first_pos DESC LIMIT 1)`;

/** Returns, in order, the archived ranges that start after one position and no later than another. */
export const archivedRanges = async (
  session: Pool | PoolClient,
  after: number,
  upTo: number,
): Promise<ArchivedRange[]> => {
  const { rows } = await session.query<ArchivedRange>({
    name: 'archived-ranges',
    text: `SELECT first_pos AS "firstPos", last_pos AS "lastPos", before, hash FROM log_archived
      WHERE first_pos > $1 AND first_pos <= $2 ORDER BY first_pos`,
    values: [after, upTo],
  });
  return rows;
};

/** Yields the ranges of one file in order, page by page. */
export const rangesOfFile = (
  pool: Pool,
  { month, part }: { readonly month: string; readonly part: number },
  rangesAtOnce: number,
): AsyncIterable<readonly ArchivedRange[]> =>
  keyPages({ firstPos: 0 }, async ({ firstPos }) =>
    pool.query<ArchivedRange>({
      name: 'archived-ranges-of-file',
      text: `SELECT first_pos AS "firstPos", last_pos AS "lastPos", before, hash FROM log_archived
        WHERE month = $1 AND part = $2 AND first_pos > $3 ORDER BY first_pos LIMIT $4`,
      values: [month, part, firstPos, rangesAtOnce],
    }),
  );

/** Of the given positions, returns those that were archived. */
export const archivedAmong = async (
  session: Pool | PoolClient,
  positions: readonly number[],
): Promise<ReadonlySet<number>> => {
  if (positions.length === 0) return new Set();
  const { rows } = await session.query<{ pos: number }>({
    name: 'archived-among',
    text: `SELECT p AS pos FROM unnest($1::bigint[]) AS p WHERE ${isArchivedPosition('p')}`,
    values: [positions],
  });
  return new Set(rows.map(({ pos }) => pos));
};
