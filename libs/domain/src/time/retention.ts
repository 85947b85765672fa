import { toBankDate } from './bank-calendar.js';

/**
 * The last day (ISO date) on which the data of a payment or consent that ended at `endedAt` is kept: the last day
 * of the year that is `years` after the year in which it ended, in the bank's calendar. The data may be erased on
 * the following day. Directive (EU) 2015/849, article 40; Bulgarian Measures Against Money Laundering Act, article
 * 67.
 */
export const retainedUntil = (endedAt: string, years: number, timeZone: string): string =>
  `${Number(toBankDate(endedAt, timeZone).slice(0, 4)) + years}-12-31`;

/** True once the last day of the retention period has ended in the bank's calendar. */
export const retentionIsOver = (lastDay: string, now: string, timeZone: string): boolean =>
  toBankDate(now, timeZone) > lastDay;
