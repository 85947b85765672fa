import type { ViewEnding } from '@xs2a/custody/custody-resource';
import { archivedMonths } from '@xs2a/event-store/months/archived-months';
import { DamagedMonth, readMonthStreams } from '@xs2a/custody/archive/month-streams';
import { type Month, parseMonth, startOfMonth } from '@xs2a/event-store/months/months';
import { logHead } from '@xs2a/event-store/recovery/log-gaps';
import type { Pool } from 'pg';

const defaultNewest = 10_000;

/** A month that contains something to archive now. */
export interface DueMonth {
  readonly month: string;
  /** The first day (UTC) on which it could have been archived. */
  readonly since: string;
  /**
   * The number of ended streams. It is followed by the numbers of their events and of the streams that are still
   * open.
   */
  readonly streams: number;
  readonly events: number;
  readonly open: number;
  /** The size of the event table and its indexes in bytes. */
  readonly bytes: number;
  /** The reason why the month cannot be archived although it is due; absent if it can be archived. */
  readonly problem?: string;
}

export interface DueOptions {
  readonly tables: { readonly views: readonly ViewEnding[] };
  /** The bank's current time in epoch milliseconds. */
  readonly nowMs: number;
  readonly archivedAfterMonths: number;
  /** The number of newest positions that are never archived, as in `archive month`. The default is 10,000. */
  readonly newest?: number;
  readonly signal?: AbortSignal;
}

type OldMonth = Pick<DueMonth, 'month' | 'since' | 'bytes'> & { readonly bounds: Month };

/** The months that have their own partition and are old enough, oldest first. */
const listOldMonths = async (
  pool: Pool,
  { nowMs, archivedAfterMonths }: Pick<DueOptions, 'nowMs' | 'archivedAfterMonths'>,
): Promise<OldMonth[]> => {
  const before = startOfMonth(nowMs, archivedAfterMonths - 1)
    .toISOString()
    .slice(0, 7);
  const { rows } = await pool.query<{ month: string; bytes: number }>(
    `SELECT replace(right(relname, 7), '_', '-') AS month, pg_total_relation_size(pg_class.oid) AS bytes
     FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'events'::regclass AND relname ~ '^events_[0-9]{4}_[0-9]{2}$' ORDER BY relname`,
  );
  return rows.flatMap(({ month, bytes }) => {
    const bounds = parseMonth(month);
    if (bounds === undefined || month >= before) return [];
    const since = startOfMonth(Date.parse(`${month}-01`), -archivedAfterMonths)
      .toISOString()
      .slice(0, 10);
    return [{ month, since, bytes, bounds }];
  });
};

/**
 * Lists the months from which `archive month` would now archive something, by the same rules, oldest first. Reads
 * the events of each month that is old enough, page by page.
 */
export const dueMonths = async (pool: Pool, options: DueOptions): Promise<DueMonth[]> => {
  const { tables, nowMs, archivedAfterMonths, newest = defaultNewest, signal } = options;
  const settled = {
    before: startOfMonth(nowMs, archivedAfterMonths - 1),
    upTo: (await logHead(pool)) - newest,
  };
  const due: DueMonth[] = [];
  for (const { bounds, ...month } of await listOldMonths(pool, options)) {
    signal?.throwIfAborted();
    try {
      const { streams, events, carried } = await readMonthStreams(pool, bounds, tables.views, settled);
      if (streams > 0) due.push({ ...month, streams, events, open: carried });
    } catch (error) {
      if (!(error instanceof DamagedMonth)) throw error;
      due.push({ ...month, streams: 0, events: 0, open: 0, problem: error.message });
    }
  }
  return due;
};

/** The number of streams of a month that are searched for an ended stream. */
const sampleSize = 1000;

/**
 * A quick check for `doctor`: lists the months that are old enough, have never been archived, and have an ended
 * stream. It searches only the first thousand streams of each month that have no events at the newest positions.
 */
export const neverArchived = async (
  pool: Pool,
  { tables, newest = defaultNewest, ...options }: Omit<DueOptions, 'signal'>,
): Promise<Pick<DueMonth, 'month' | 'since'>[]> => {
  const archived = new Set((await archivedMonths(pool)).map(({ month }) => month));
  const upTo = (await logHead(pool)) - newest;
  const found: Pick<DueMonth, 'month' | 'since'>[] = [];
  for (const { month, since, bounds } of await listOldMonths(pool, options)) {
    if (!archived.has(month) && (await hasEndedStream(pool, bounds, tables, upTo)))
      found.push({ month, since });
  }
  return found;
};

const hasEndedStream = async (
  pool: Pool,
  { from, to }: Month,
  { views }: { readonly views: readonly ViewEnding[] },
  upTo: number,
): Promise<boolean> => {
  for (const { table, columns, isEnded } of views) {
    const { rows } = await pool.query<Readonly<Record<string, unknown>>>(
      `SELECT ${columns.join(', ')} FROM ${table} v WHERE stream_id > $1 AND stream_id < $2
         AND NOT EXISTS (SELECT FROM log l WHERE l.stream_id = v.stream_id AND l.pos > $3)
       ORDER BY stream_id LIMIT ${sampleSize}`,
      [from, to, upTo],
    );
    if (rows.some((row) => isEnded(row))) return true;
  }
  return false;
};
