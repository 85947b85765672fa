import { addDays, getWeekday } from './bank-calendar.js';
import { orthodoxEaster, westernEaster } from './easter.js';

/** The first and last year for which calendars are computed. */
export const computedYears = { first: 2000, last: 2199 } as const;

const isWeekend = (isoDate: string): boolean => getWeekday(isoDate) > 5;

/**
 * Official holidays in Bulgaria (Labour Code, article 154). A holiday on a Saturday or Sunday, except Easter,
 * moves to the next working day.
 */
function daysOfBulgaria(year: number): string[] {
  const easter = orthodoxEaster(year);
  const ofEaster = [-2, -1, 0, 1].map((days) => addDays(easter, days));
  const fixed = [
    '01-01',
    '03-03',
    '05-01',
    '05-06',
    '05-24',
    '09-06',
    '09-22',
    '12-24',
    '12-25',
    '12-26',
  ].map((day) => `${year}-${day}`);
  const days = new Set([...fixed, ...ofEaster]);
  for (const holiday of fixed.filter(isWeekend)) {
    let made = holiday;
    while (isWeekend(made) || days.has(made)) made = addDays(made, 1);
    days.add(made);
  }
  return [...days];
}

/**
 * Closing days of TARGET, on which no SEPA credit transfer is settled, according to the ECB list in effect since
 * 2002.
 */
function daysOfTarget(year: number): string[] {
  const easter = westernEaster(year);
  const fixed = ['01-01', '05-01', '12-25', '12-26'].map((day) => `${year}-${day}`);
  return [...fixed, addDays(easter, -2), addDays(easter, 1)];
}

const calendars = { BG: daysOfBulgaria, TARGET: daysOfTarget } as const;
export type HolidayCalendar = keyof typeof calendars;
export const holidayCalendars = Object.keys(calendars) as HolidayCalendar[];

/** The holidays of a calendar in a year that fall on Monday to Friday: ISO dates, in order. */
export const holidaysIn = (calendar: HolidayCalendar, year: number): readonly string[] =>
  calendars[calendar](year)
    .filter((day) => !isWeekend(day))
    .sort();

/** The holidays for all {@link computedYears}. */
export const computedHolidays = (calendar: HolidayCalendar): readonly string[] =>
  Array.from({ length: computedYears.last - computedYears.first + 1 }, (_, index) =>
    holidaysIn(calendar, computedYears.first + index),
  ).flat();
