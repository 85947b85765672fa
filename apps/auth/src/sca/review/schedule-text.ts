import { lastOccurrence } from '@xs2a/domain/order/occurrence-calendar';
import { frequencies, type PeriodicSchedule } from '@xs2a/domain/order/periodic-schedule';
import { getWeekday } from '@xs2a/domain/time/bank-calendar';
import { locales } from '@xs2a/html/figures';
import type { Language } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';
import { dateText } from '../pages/language.js';

const dateIn = (isoDate: string, language: Language): string => dateText(isoDate, language, 'UTC');

const monthNames = (months: readonly number[], language: Language): string => {
  const name = new Intl.DateTimeFormat(locales[language], { month: 'long', timeZone: 'UTC' });
  const names = months
    .toSorted((one, other) => one - other)
    .map((month) => name.format(Date.UTC(2000, month - 1)));
  return new Intl.ListFormat(locales[language]).format(names);
};

/** The months in which an order pays every year; undefined if they differ from year to year or are all twelve. */
const listMonths = ({ frequency, monthsOfExecution, startDate }: PeriodicSchedule) =>
  monthsOfExecution ?? (frequency === 'Annual' ? [Number(startDate.slice(5, 7))] : undefined);

/** The text for an order's frequency and day (contract 9), for example "every month, on day 5". */
export const frequencyText = (schedule: PeriodicSchedule, language: Language): string => {
  const words = catalogues[language].schedule;
  const { frequency, startDate, dayOfExecution = Number(startDate.slice(8)) } = schedule;
  const often = words.frequency[frequency];
  if (frequency === 'Daily') return often;
  if ('days' in frequencies[frequency])
    return `${often}, ${words.onWeekday[getWeekday(startDate) - 1] ?? ''}`;
  const months = listMonths(schedule);
  const inMonths = months === undefined ? often : words.inMonths(often, monthNames(months, language));
  return `${inMonths}, ${words.onDay(dayOfExecution)}`;
};

/** The text that says when an order ends: on a date, after a number of payments, or when the PSU stops it. */
export const endText = ({ endDate, numberOfPayments }: PeriodicSchedule, language: Language): string => {
  const words = catalogues[language].schedule;
  if (endDate !== undefined) return words.atLatest(dateIn(endDate, language));
  return numberOfPayments === undefined ? words.whenStopped : words.after(words.payments(numberOfPayments));
};

/** When an order pays, in one sentence: how often, from when and until when. */
export const scheduleText = (schedule: PeriodicSchedule, language: Language): string => {
  const words = catalogues[language].schedule;
  const { startDate, endDate, numberOfPayments } = schedule;
  const start = words.from(dateIn(startDate, language));
  const untilStopped = endDate === undefined && numberOfPayments === undefined;
  const end = untilStopped ? words.untilStopped : endSentence(schedule, language);
  return `${frequencyText(schedule, language)}, ${start}, ${end}`;
};

const endSentence = ({ endDate, numberOfPayments }: PeriodicSchedule, language: Language): string => {
  const words = catalogues[language].schedule;
  return endDate === undefined
    ? words.payments(numberOfPayments ?? 0)
    : words.until(dateIn(endDate, language));
};

/**
 * The {@link endText}, with the number of payments until then and the date of the last one, based on the holidays
 * known now.
 */
export const wholeEndText = (
  schedule: PeriodicSchedule,
  language: Language,
  holidays: readonly string[],
): string => {
  const words = catalogues[language].schedule;
  const last = lastOccurrence(schedule, holidays);
  if (last === undefined) return endText(schedule, language);
  const date = dateIn(last.executionDate, language);
  const payments = schedule.endDate === undefined ? '' : `: ${words.payments(last.number)}`;
  return `${endText(schedule, language)}${payments}, ${last.number === 1 ? words.on(date) : words.lastOn(date)}`;
};
