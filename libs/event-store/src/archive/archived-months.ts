import type { Pool, PoolClient } from 'pg';
import { type Month, parseMonth } from './months.js';

/** A file to which ended streams of a month were moved, as the database knows it. */
export interface ArchivedMonth {
  readonly month: string;
  /** 1, and one more for each time that streams which were open before are archived. */
  readonly part: number;
  readonly file: string;
  /** SHA-256 of the file, hex. */
  readonly sha256: string;
  readonly streams: number;
  readonly events: number;
  /** The last position of the log when the file was written. */
  readonly head: number;
  /** Number of streams of the month that stay. */
  readonly carried: number;
  readonly writtenAt: Date;
  /** Absent: the events are in the database still. */
  readonly detachedAt: Date | null;
  /** Absent: it was interrupted; archiving the month again completes it, or restoring the file, where that was begun. */
  readonly finishedAt: Date | null;
  /** A restore of the file was begun. */
  readonly restoring: boolean;
}

/** The archived parts of all months, or of one, in order. */
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

/** SQL: the stream is of a month that is on its way to or from a file. */
export const isMovingStream = (id: string): string =>
  `EXISTS (SELECT FROM archived_month m WHERE m.finished_at IS NULL
    AND m.month = to_char(uuid_extract_timestamp(${id}) AT TIME ZONE 'UTC', 'YYYY-MM'))`;

/** Tells streams of months that are on their way to or from a file: what lacks of them at this moment is no damage. */
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
