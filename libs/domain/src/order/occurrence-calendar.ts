import { addDays, daysInMonth } from '../time/bank-calendar.js';
import { bankingDayFrom } from '../time/banking-days.js';
import { frequencies, type PeriodicSchedule } from './periodic-schedule.js';

/** One execution of a periodic order. */
export interface Occurrence {
  /** Starts at 1 and does not depend on holidays, so a change to the holiday table does not change any number. */
  readonly number: number;
  /** The ISO date that follows from the frequency. */
  readonly plannedDate: string;
  /** The ISO date of execution: plannedDate, adjusted by executionRule. */
  readonly executionDate: string;
}

/** An upper limit that no order reaches: there are fewer days than this until the end of the year 9999. */
const maxOccurrences = 4_000_000;
const yearOfFourDigits = /^\d{4}-/;

/**
 * The month of the execution at an index that starts at 0 in startDate's month. Returned as the number of months
 * since the year 0.
 */
function executionMonth(
  { startDate, monthsOfExecution }: PeriodicSchedule,
  monthsBetween: number,
  index: number,
): number {
  const [year, month] = [Number(startDate.slice(0, 4)), Number(startDate.slice(5, 7))];
  if (monthsOfExecution === undefined) return year * 12 + month - 1 + index * monthsBetween;
  const months = monthsOfExecution.toSorted((one, other) => one - other);
  const position = months.filter((named) => named < month).length + index;
  const named = months[position % months.length] ?? month;
  return (year + Math.floor(position / months.length)) * 12 + named - 1;
}

/** The planned day in the month at an index; at index 0 it may be before startDate. */
function dateInMonth(schedule: PeriodicSchedule, monthsBetween: number, index: number): string {
  const months = executionMonth(schedule, monthsBetween, index);
  const [year, month] = [Math.floor(months / 12), (months % 12) + 1];
  const wanted = schedule.dayOfExecution ?? Number(schedule.startDate.slice(8));
  const day = Math.min(wanted, daysInMonth(year, month));
  return [String(year).padStart(4, '0'), ...[month, day].map((n) => String(n).padStart(2, '0'))].join('-');
}

/** The n-th planned day on or after startDate. After the year 9999, its year has more than four digits. */
function plannedDay(schedule: PeriodicSchedule, number: number): string {
  const { startDate, frequency } = schedule;
  const step = frequencies[frequency];
  if ('days' in step) return addDays(startDate, step.days * (number - 1));
  const isFirstTooEarly = dateInMonth(schedule, step.months, 0) < startDate;
  return dateInMonth(schedule, step.months, isFirstTooEarly ? number : number - 1);
}

function movedDay(
  plannedDate: string,
  { startDate, executionRule }: PeriodicSchedule,
  holidays: readonly string[],
): string {
  if (executionRule === undefined) return plannedDate;
  const moved = bankingDayFrom(plannedDate, executionRule, holidays);
  return moved < startDate ? bankingDayFrom(plannedDate, 'following', holidays) : moved;
}

/**
 * The occurrence with this number (1-based); undefined if the order has no such occurrence (contract 9).
 * `holidays` is the profile's holiday table, which applies in both profiles. Computed directly, so that the cost
 * does not depend on how long ago the order started.
 */
export function nthOccurrence(
  schedule: PeriodicSchedule,
  number: number,
  holidays: readonly string[],
): Occurrence | undefined {
  if (number < 1 || number > (schedule.numberOfPayments ?? maxOccurrences)) return undefined;
  const plannedDate = plannedDay(schedule, number);
  if (!yearOfFourDigits.test(plannedDate)) return undefined;
  const executionDate = movedDay(plannedDate, schedule, holidays);
  const isAfterEnd = schedule.endDate !== undefined && executionDate > schedule.endDate;
  return isAfterEnd ? undefined : { number, plannedDate, executionDate };
}

/**
 * The occurrences after a number, in order, generated lazily. A later planned day is never moved before an earlier
 * one, so execution dates never decrease, and the order ends before the first execution date after endDate.
 */
export function* occurrences(
  schedule: PeriodicSchedule,
  holidays: readonly string[],
  after = 0,
): Generator<Occurrence, void> {
  for (let number = after + 1; ; number += 1) {
    const occurrence = nthOccurrence(schedule, number, holidays);
    if (occurrence === undefined) return;
    yield occurrence;
  }
}

/** The last occurrence; undefined for an order without an end or without any occurrences. */
export function lastOccurrence(
  schedule: PeriodicSchedule,
  holidays: readonly string[],
): Occurrence | undefined {
  if (schedule.endDate === undefined && schedule.numberOfPayments === undefined) return undefined;
  // Bisection: every number up to `last` exists, and none from `beyond` on.
  let [last, beyond] = [0, maxOccurrences];
  while (beyond - last > 1) {
    const middle = Math.floor((last + beyond) / 2);
    if (nthOccurrence(schedule, middle, holidays) === undefined) beyond = middle;
    else last = middle;
  }
  return nthOccurrence(schedule, last, holidays);
}
