import type { Pool, PoolClient } from 'pg';
import { type Month, parseMonth } from './months.js';

/** The database record of a file to which a month's ended streams were moved. */
export interface ArchivedMonth {
  readonly month: string;
  /** Starts at 1. Each later part contains streams that were still open when the previous part was archived. */
  readonly part: number;
  readonly file: string;
  /** SHA-256 of the file, in hex. */
  readonly sha256: string;
  readonly streams: number;
  readonly events: number;
  /** The last position of the log when the file was written. */
  readonly head: number;
  /** The number of the month's streams that stay in the table. */
  readonly carried: number;
  readonly writtenAt: Date;
  /** Null while the events are still in the table. */
  readonly detachedAt: Date | null;
  /** Null if the run was interrupted. Archiving the month again, or restoring the file again, completes it. */
  readonly finishedAt: Date | null;
  /** True if a restore of the file has started. */
  readonly restoring: boolean;
}

/** Returns the archived parts of all months or of one month, in order. */
export const archivedMonths = async (
  session: Pool | PoolClient,
  month?: string,
): Promise<ArchivedMonth[]> => {
  const { rows } = await session.query<ArchivedMonth>({
    name: 'archived-months',
    text: `SELECT month, part, file, sha256, streams, events, head, carried_streams AS carried,
        written_at AS "writtenAt", detached_at AS "detachedAt", finished_at AS "finishedAt", restoring
      FROM archived_month WHERE $1::text IS NULL OR month = $1 ORDER BY month, part`,
    values: [month],
  });
  return rows;
};

/** SQL that is true if the stream belongs to a month that is being archived or restored. */
export const isMovingStream = (id: string): string =>
  `EXISTS (SELECT FROM archived_month m WHERE m.finished_at IS NULL
    AND m.month = to_char(uuid_extract_timestamp(${id}) AT TIME ZONE 'UTC', 'YYYY-MM'))`;

/**
 * Returns a function that is true for streams in months that are being archived or restored. Data missing from
 * such streams at the moment does not count as damage.
 */
export const unfinishedMonths = async (
  session: Pool | PoolClient,
): Promise<(streamId?: string) => boolean> => {
  const { rows } = await session.query<{ month: string }>({
    name: 'archived-unfinished',
    text: 'SELECT DISTINCT month FROM archived_month WHERE finished_at IS NULL',
  });
  const months = rows
    .map(({ month }) => parseMonth(month))
    .filter((month): month is Month => month !== undefined);
  return (streamId) =>
    streamId !== undefined && months.some(({ from, to }) => streamId > from && streamId < to);
};
