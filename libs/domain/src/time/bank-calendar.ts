const millisecondsOfDay = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();
/** A cache of the instants at which days start, by time zone and date: `Intl` takes 40 µs to find one. */
const startsOfDays = new Map<string, string>();
const maxStartsOfDays = 10_000;

function makeFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(timeZone, made);
  return made;
}

/** The ISO date and local time (`HH:MM`) in the bank's time zone at an instant. */
function toWallClock(instantIso: string, timeZone: string): { readonly date: string; readonly time: string } {
  const parts = new Map(
    makeFormat(timeZone)
      .formatToParts(new Date(instantIso))
      .map((part) => [part.type, part.value]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes): string => parts.get(name) ?? '';
  const year = part('year').padStart(4, '0');
  return {
    date: `${year}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}:${part('second')}`,
  };
}

/** The ISO date in the bank's time zone at an instant. */
export const toBankDate = (instantIso: string, timeZone: string): string =>
  toWallClock(instantIso, timeZone).date;

/** The time of day (`HH:MM`, 24 hours) in the bank's time zone at an instant. */
export const toBankTime = (instantIso: string, timeZone: string): string =>
  toWallClock(instantIso, timeZone).time.slice(0, 5);

/** The offset of the bank's local time from UTC at an instant, in milliseconds. */
function offsetAt(instantMs: number, timeZone: string): number {
  const { date, time } = toWallClock(new Date(instantMs).toISOString(), timeZone);
  // The day after the last possible ISO date needs a five-digit year (ECMA-262, expanded years).
  const expanded = date.length > 10 ? `+0${date}` : date;
  return Date.parse(`${expanded}T${time}Z`) - Math.floor(instantMs / 1000) * 1000;
}

/**
 * The first instant of a day in the bank's time zone, as ISO UTC. Also correct on days when the clock changes,
 * even in time zones that skip or repeat midnight.
 */
export function startOfBankDay(isoDate: string, timeZone: string): string {
  const key = `${timeZone} ${isoDate}`;
  const known = startsOfDays.get(key);
  if (known !== undefined) return known;
  const start = findStartOfDay(isoDate, timeZone);
  if (startsOfDays.size === maxStartsOfDays) startsOfDays.clear();
  startsOfDays.set(key, start);
  return start;
}

function findStartOfDay(isoDate: string, timeZone: string): string {
  const utcMidnight = Date.parse(`${isoDate}T00:00:00Z`);
  const candidates = [utcMidnight - millisecondsOfDay, utcMidnight + millisecondsOfDay]
    .map((near) => new Date(utcMidnight - offsetAt(near, timeZone)).toISOString())
    .filter((instant) => toBankDate(instant, timeZone) === isoDate)
    .sort();
  const [first] = candidates;
  if (first === undefined) throw new RangeError(`The day ${isoDate} does not exist in ${timeZone}.`);
  return first;
}

/** The ISO date n days later, or earlier if n is negative. */
export const addDays = (isoDate: string, n: number): string =>
  new Date(Date.parse(`${isoDate}T00:00:00Z`) + n * millisecondsOfDay).toISOString().slice(0, 10);

/** The number of days in a month; months are 1-based. */
export function daysInMonth(year: number, month: number): number {
  const lastDay = new Date(0);
  lastDay.setUTCFullYear(year, month, 0);
  return lastDay.getUTCDate();
}

/** The day of the week, from 1 for Monday to 7 for Sunday (ISO 8601). */
export const getWeekday = (isoDate: string): number => new Date(`${isoDate}T00:00:00Z`).getUTCDay() || 7;

/** True for a date `YYYY-MM-DD` that exists. */
export function isIsoDate(value: string): boolean;
export function isIsoDate(value: unknown): value is string;
export function isIsoDate(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value) || value.startsWith('0000'))
    return false;
  const milliseconds = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(value);
}

/** The instant n seconds later, as ISO UTC with milliseconds. */
export const addSeconds = (instantIso: string, n: number): string =>
  new Date(Date.parse(instantIso) + n * 1000).toISOString();

/** True from the instant of the deadline on. */
export const hasPassed = (deadlineIso: string, nowIso: string): boolean =>
  Date.parse(nowIso) >= Date.parse(deadlineIso);
