import type { TransactionsQuery } from '@xs2a/contracts/accounts.contract';

/**
 * True for the first page of a report of everything booked up to now, from which the next delta starts; later
 * pages belong to the same report.
 */
export const reportsUpToNow = (
  { cursor, bookingStatus, dateTo }: Pick<TransactionsQuery, 'cursor' | 'bookingStatus' | 'dateTo'>,
  today: string,
): boolean => cursor === undefined && bookingStatus !== 'pending' && dateTo >= today;

/** The start of a first delta report: earlier than all entries, so that only the requested dates limit the report. */
export const beforeAnyReport = '1970-01-01T00:00:00.000Z';

/**
 * A position in a delta report. It keeps the start of the first page, even if other reports are read in the
 * meantime.
 */
export interface DeltaPlace {
  /** @format date-time */
  readonly bookedSince: string;
  /** The bank's own cursor; absent for the first page. */
  readonly cursor?: string;
}

export const deltaCursor = ({ bookedSince, cursor = '' }: DeltaPlace): string =>
  `${Date.parse(bookedSince).toString(36)}.${cursor}`;

/** Parses the cursor of a delta report; undefined for any other cursor. */
export const readDeltaCursor = (text: string): DeltaPlace | undefined => {
  const [, since, cursor] = /^([0-9a-z]{1,9})\.(.*)$/.exec(text) ?? [];
  if (since === undefined) return undefined;
  const bookedSince = new Date(Number.parseInt(since, 36)).toISOString();
  return cursor === undefined || cursor === '' ? { bookedSince } : { bookedSince, cursor };
};
