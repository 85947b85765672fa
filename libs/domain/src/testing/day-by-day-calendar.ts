import type { Occurrence } from '../order/occurrence-calendar.js';
import type { PeriodicSchedule } from '../order/periodic-schedule.js';

interface Day {
  readonly iso: string;
  readonly month: number;
  readonly dayOfMonth: number;
  readonly isLastOfMonth: boolean;
  /** The day of the week, counted from Monday as 0. */
  readonly weekday: number;
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const two = (n: number): string => String(n).padStart(2, '0');

/** Every day from 2001-01-01, a Monday, to 2115-12-31, counted one by one without using Date. */
export const days: readonly Day[] = Array.from({ length: 115 }, (_, n) => 2001 + n)
  .flatMap((year) =>
    [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].flatMap((length, month) =>
      Array.from({ length }, (_, day) => ({
        iso: `${year}-${two(month + 1)}-${two(day + 1)}`,
        month: month + 1,
        dayOfMonth: day + 1,
        isLastOfMonth: day + 1 === length,
      })),
    ),
  )
  .map((day, index) => Object.assign(day, { weekday: index % 7 }));
const indexes = new Map(days.map(({ iso }, index) => [iso, index]));

/**
 * Returns a function that tells if a day is a planned day. The function must be called once for each day in order,
 * starting with startDate.
 */
function plannedDays(schedule: PeriodicSchedule, start: Day): (day: Day) => boolean {
  const { frequency, dayOfExecution = start.dayOfMonth, monthsOfExecution = [] } = schedule;
  let [weekdaysSeen, monthsBegun] = [0, 0];
  return (day) => {
    if (day.weekday === start.weekday) weekdaysSeen += 1;
    if (day.dayOfMonth === 1 && day !== start) monthsBegun += 1;
    const isDayOfExecution =
      day.dayOfMonth === dayOfExecution || (day.isLastOfMonth && dayOfExecution > day.dayOfMonth);
    switch (frequency) {
      case 'Daily':
        return true;
      case 'Weekly':
        return day.weekday === start.weekday;
      case 'EveryTwoWeeks':
        return day.weekday === start.weekday && weekdaysSeen % 2 === 1;
      case 'Monthly':
        return isDayOfExecution;
      case 'EveryTwoMonths':
        return isDayOfExecution && monthsBegun % 2 === 0;
      case 'Quarterly':
        return isDayOfExecution && monthsBegun % 3 === 0;
      case 'SemiAnnual':
        return isDayOfExecution && monthsBegun % 6 === 0;
      case 'Annual':
        return isDayOfExecution && monthsBegun % 12 === 0;
      case 'MonthlyVariable':
        return isDayOfExecution && monthsOfExecution.includes(day.month);
    }
  };
}

/**
 * The occurrences of an order planned on or before `until`, found by walking through every day. This is slow but
 * independent of the product's calendar, which it is used to verify. Covers the years 2001 to 2115.
 */
export function occurrencesDayByDay(
  schedule: PeriodicSchedule,
  holidays: readonly string[],
  until: string,
): Occurrence[] {
  const { startDate, endDate, numberOfPayments = Infinity, executionRule } = schedule;
  const closed = new Set(holidays);
  const isOpen = (index: number): boolean => {
    const day = days[index];
    if (day === undefined) throw new RangeError('The walk leaves its years.');
    return day.weekday < 5 && !closed.has(day.iso);
  };
  const first = indexes.get(startDate);
  const start = days[first ?? -1];
  if (first === undefined || start === undefined)
    throw new RangeError('The order starts outside of the years.');
  const isPlanned = plannedDays(schedule, start);
  const found: Omit<Occurrence, 'number'>[] = [];
  for (let index = first; ; index += 1) {
    const day = days[index];
    if (day === undefined || day.iso > until) break;
    if (!isPlanned(day)) continue;
    let [before, after] = [index, index];
    while (before >= first && !isOpen(before)) before -= 1;
    while (!isOpen(after)) after += 1;
    const isPreceding = executionRule === 'preceding' && before >= first;
    const moved = executionRule === undefined ? day : days[isPreceding ? before : after];
    if (moved !== undefined) found.push({ plannedDate: day.iso, executionDate: moved.iso });
  }
  return found
    .filter(({ executionDate }) => endDate === undefined || executionDate <= endDate)
    .slice(0, numberOfPayments)
    .map((dates, index) => ({ number: index + 1, ...dates }));
}
