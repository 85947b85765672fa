import type { QueryConfig } from 'pg';
import type { DeltaQuery } from '../../port/accounts.js';
import { switchOverSetting } from '../switch-over/switch-over-setting.js';
import type { PageCursor } from './page-cursor.js';

/*
 * The two SQL statements that read a page of an account's history: one towards older entries, one towards newer entries.
 * `history.int.spec.ts` runs both as psql would.
 *
 * An entry is pending until `book_at` and booked from then on. A requested period is compared with the booking date of a booked
 * entry and with the value date of a pending entry.
 *
 * $1        account
 * $2        now
 * $3, $4    where the scan of the index `entry_by_time` begins: `pending_at`, entry
 * $5        where the scan ends: `pending_at`
 * $6        the requested booking status: `booked`, `pending` or `both`
 * $7, $8    the first moment of the period, and the first moment after it
 * $9, $10   the first day of the period, and the last one
 * $11, $12  the position after which a delta report begins: `book_at`, entry
 * $13       the number of entries on the page; the statement reads one more to find out whether another page follows
 *
 * The scan has one bound at each end: with two bounds PostgreSQL would begin the scan at the looser one.
 *
 * The statement returns one row, in which the JSON texts of all booked entries are joined, and those of all pending entries:
 * account information returns the joined text to the TPP without parsing it. The row also contains the switch-over to the euro, so that
 * both come from the same snapshot.
 */
const pageOf = (scan: string, order: string): string => `
SELECT
  coalesce(string_agg(details, ',' ORDER BY pending_at DESC, transaction_id DESC)
    FILTER (WHERE is_booked AND n <= $13::int), '') AS booked,
  coalesce(string_agg(details, ',' ORDER BY pending_at DESC, transaction_id DESC)
    FILTER (WHERE NOT is_booked AND n <= $13::int), '') AS pending,
  max(pending_at) FILTER (WHERE n = 1) AS "beginAt",
  max(transaction_id::text) FILTER (WHERE n = 1) AS "beginId",
  max(pending_at) FILTER (WHERE n = least(total, $13::int)) AS "endAt",
  max(transaction_id::text) FILTER (WHERE n = least(total, $13::int)) AS "endId",
  count(*) > $13::int AS "hasMore",
  ${switchOverSetting} AS "switchOver"
FROM (
  SELECT *, row_number() OVER (ORDER BY ${order}) AS n, count(*) OVER () AS total
  FROM (
    SELECT transaction_id, pending_at, book_at <= $2 AS is_booked, details
    FROM entry
    WHERE account_id = $1
      AND ${scan}
      AND CASE WHEN book_at <= $2
        THEN $6::text <> 'pending' AND book_at >= $7 AND book_at < $8
        ELSE $6::text <> 'booked' AND value_date >= $9::date AND value_date <= $10::date END
      AND (book_at, transaction_id) > ($11, $12::uuid)
    ORDER BY ${order}
    LIMIT $13::int + 1
  ) AS found
) AS numbered`;

export const olderEntries = pageOf(
  '(pending_at, transaction_id) < ($3, $4::uuid) AND pending_at >= $5',
  'pending_at DESC, transaction_id DESC',
);
export const newerEntries = pageOf(
  '(pending_at, transaction_id) > ($3, $4::uuid) AND pending_at < $5',
  'pending_at, transaction_id',
);

/** The only row that `olderEntries` or `newerEntries` returns. */
export interface PageRow {
  /** The stored JSON texts of the booked entries, newest first, joined by commas. */
  readonly booked: string;
  /** The stored JSON texts of the pending entries, newest first, joined by commas. */
  readonly pending: string;
  /** `pending_at` of the first entry that the scan found, with `beginId`; both are null on an empty page. */
  readonly beginAt: Date | null;
  readonly beginId: string | null;
  /** `pending_at` of the last entry on the page in scan order, with `endId`; both are null on an empty page. */
  readonly endAt: Date | null;
  readonly endId: string | null;
  readonly hasMore: boolean;
  /** The stored switch-over to the euro in the form that `parseSwitchOver` reads; null if no switch-over is stored. */
  readonly switchOver: string | null;
}

/** Bank days (the first and the last inclusive), and the start and end of the period in epoch milliseconds. */
export interface Period {
  readonly firstDay: string;
  readonly lastDay: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A position in a list of entries sorted by time (epoch milliseconds), then by id. */
export interface Place {
  readonly atMs: number;
  readonly entryId: string;
}

export interface PageRequest {
  readonly query: DeltaQuery;
  readonly period: Period;
  /**
   * The position after which a delta report starts, in the order in which entries are booked; `beforeAll` if the
   * query is not a delta.
   */
  readonly deltaFrom: Place;
  /** Undefined for the first page. */
  readonly cursor: PageCursor | undefined;
  readonly nowMs: number;
}

const lowestId = '00000000-0000-0000-0000-000000000000';
const hourMs = 3_600_000;
const iso = (ms: number): string => new Date(ms).toISOString();

/** The position just before the first entry that is booked at or after an instant. */
export const placeBefore = (atMs: number): Place => ({ atMs, entryId: lowestId });

export const pageStatement = ({ query, period, deltaFrom, cursor, nowMs }: PageRequest): QueryConfig => {
  const { resourceId, bookingStatus, pageSize } = query;
  const { firstDay, lastDay, fromMs, untilMs } = period;
  const isOlder = cursor?.direction !== 'newer';
  // An entry is booked at most an hour after it became pending, so entries that are still pending became so
  // within the last hour.
  const earliestMs = Math.max(fromMs, bookingStatus === 'pending' ? nowMs : deltaFrom.atMs) - hourMs;
  const [beginMs, endMs] = isOlder ? [untilMs, earliestMs] : [earliestMs, untilMs];
  const isInPeriod = cursor !== undefined && (isOlder ? cursor.atMs < untilMs : cursor.atMs >= earliestMs);
  const begin = isInPeriod ? cursor : placeBefore(beginMs);
  return {
    name: isOlder ? 'history-older' : 'history-newer',
    text: isOlder ? olderEntries : newerEntries,
    values: [
      resourceId,
      iso(nowMs),
      iso(begin.atMs),
      begin.entryId,
      iso(endMs),
      bookingStatus,
      iso(fromMs),
      iso(untilMs),
      firstDay,
      lastDay,
      iso(deltaFrom.atMs),
      deltaFrom.entryId,
      pageSize,
    ],
  };
};
