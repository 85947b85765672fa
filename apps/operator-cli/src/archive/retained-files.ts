import { archivedMonths } from '@xs2a/event-store/months/archived-months';
import { startOfMonth } from '@xs2a/event-store/months/months';
import { retainedUntil, retentionIsOver } from '@xs2a/domain/time/retention';
import type { Pool } from 'pg';

/**
 * A file that was written by `archive month` and is known to the database, with the last day on which it must be
 * kept.
 */
export interface RetainedFile {
  readonly file: string;
  readonly month: string;
  readonly part: number;
  readonly retainedUntil: string;
  /** True once the retention period has ended, so that the file and all its copies may be deleted. */
  readonly isOver: boolean;
}

/**
 * Lists the files with the end of their retention period. Everything in a file had ended before the start of the
 * month that preceded the month in which the file was written, whatever the bank's settings were at the time.
 */
export const retainedFiles = async (
  pool: Pool,
  { nowMs, retainedYears, timeZone }: { nowMs: number; retainedYears: number; timeZone: string },
): Promise<RetainedFile[]> => {
  const now = new Date(nowMs).toISOString();
  const finished = (await archivedMonths(pool)).filter(({ finishedAt }) => finishedAt !== null);
  return finished.map(({ file, month, part, writtenAt }) => {
    const lastEnded = new Date(startOfMonth(writtenAt.getTime(), 1).getTime() - 1);
    const lastDay = retainedUntil(lastEnded.toISOString(), retainedYears, timeZone);
    return { file, month, part, retainedUntil: lastDay, isOver: retentionIsOver(lastDay, now, timeZone) };
  });
};
