import type { QueryConfig } from 'pg';
import type { DeltaQuery } from '../../port/accounts.js';
import type { PageCursor } from './page-cursor.js';

/*
 * The SQL statements of a page of an account's history, read towards older entries and towards newer ones. `history.int.spec.ts`
 * runs them as psql does.
 *
 * An entry is booked once `book_at` has come. It then counts by its booking date, before that by its value date.
 *
 * $1        account
 * $2        now
 * $3, $4    where the scan of the index `entry_by_time` begins: `pending_at`, entry
 * $5        where the scan ends: `pending_at`
 * $6        which entries are asked for: `booked`, `pending` or `both`
 * $7, $8    the first moment of the period, and the first moment after it
 * $9, $10   the first day of the period, and the last one
 * $11, $12  the place behind which a delta report begins: `book_at`, entry
 * $13       how many entries are read at most
 *
 * The scan has one bound at each end: with two PostgreSQL would begin it at the looser one.
 */
export const olderEntries = `
SELECT transaction_id AS "entryId", pending_at AS "pendingAt", book_at <= $2 AS "isBooked", details
FROM entry
WHERE account_id = $1
  AND (pending_at, transaction_id) < ($3, $4::uuid) AND pending_at >= $5
  AND CASE WHEN book_at <= $2
    THEN $6::text <> 'pending' AND book_at >= $7 AND book_at < $8
    ELSE $6::text <> 'booked' AND value_date >= $9::date AND value_date <= $10::date END
  AND (book_at, transaction_id) > ($11, $12::uuid)
ORDER BY pending_at DESC, transaction_id DESC
LIMIT $13::int`;

export const newerEntries = `
SELECT transaction_id AS "entryId", pending_at AS "pendingAt", book_at <= $2 AS "isBooked", details
FROM entry
WHERE account_id = $1
  AND (pending_at, transaction_id) > ($3, $4::uuid) AND pending_at < $5
  AND CASE WHEN book_at <= $2
    THEN $6::text <> 'pending' AND book_at >= $7 AND book_at < $8
    ELSE $6::text <> 'booked' AND value_date >= $9::date AND value_date <= $10::date END
  AND (book_at, transaction_id) > ($11, $12::uuid)
ORDER BY pending_at, transaction_id
LIMIT $13::int`;

/** A row of the statements above. */
export interface EntryRow {
  readonly entryId: string;
  readonly pendingAt: Date;
  readonly isBooked: boolean;
  readonly details: string;
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

/** Selects one entry more than fits on the page, which shows if there is another page. */
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
      pageSize + 1,
    ],
  };
};
