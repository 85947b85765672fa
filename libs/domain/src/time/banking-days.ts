import { addDays, getWeekday } from './bank-calendar.js';

const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Converts each list to a set only once, because computed calendars have thousands of days. */
function toSet(holidays: readonly string[]): ReadonlySet<string> {
  const known = sets.get(holidays);
  if (known !== undefined) return known;
  const made = new Set(holidays);
  sets.set(holidays, made);
  return made;
}

/** True for Saturday, Sunday and the ISO dates in the holiday table, regardless of the profile's banking days. */
export const isWeekendOrHoliday = (isoDate: string, holidays: readonly string[]): boolean =>
  getWeekday(isoDate) > 5 || toSet(holidays).has(isoDate);

/** The last day whose ISO date has a four-digit year. */
const lastIsoDate = '9999-12-31';

/**
 * The day itself if it is neither a weekend day nor a holiday, otherwise the nearest such day after or before it.
 * The search ends with the year 9999.
 */
export function bankingDayFrom(
  isoDate: string,
  direction: 'following' | 'preceding',
  holidays: readonly string[],
): string {
  const step = direction === 'following' ? 1 : -1;
  let day = isoDate;
  while (isWeekendOrHoliday(day, holidays) && day !== lastIsoDate) day = addDays(day, step);
  return day;
}
