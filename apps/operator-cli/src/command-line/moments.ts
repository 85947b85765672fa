import { InvalidArgumentError } from 'commander';
import { addDays, isIsoDate, startOfBankDay } from '@xs2a/domain/time/bank-calendar';

/**
 * A point in time as entered by an operator: a duration before the current time, an instant, or a day in the
 * bank's time zone.
 */
export type Moment = { readonly agoMs: number } | { readonly instantMs: number } | { readonly day: string };

const unitMs: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const agoPattern = /^(\d{1,5}) ?(s|m|min|h|d)$/;
const instantPattern =
  /^[12]\d{3}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(Z|[+-]\d\d:[0-5]\d)$/;

/** Parses `2h`, `30 min`, `2026-01-31` or `2026-01-31T10:00:00Z`. Throws InvalidArgumentError for any other format. */
export const readMoment = (text: string): Moment => {
  const [, number, unit = ''] = agoPattern.exec(text) ?? [];
  if (number !== undefined) return { agoMs: Number(number) * (unitMs[unit] ?? 0) };
  const day = text.slice(0, 10);
  if (/^[12]/.test(text) && isIsoDate(day)) {
    if (text === day) return { day };
    if (instantPattern.test(text)) return { instantMs: Date.parse(text) };
  }
  throw new InvalidArgumentError(
    'It must be a duration such as 30min, 2h or 7d, a day such as 2026-01-31, or an instant such as 2026-01-31T10:00:00Z.',
  );
};

interface Wall {
  readonly nowMs: number;
  readonly timeZone: string;
}

/** The start of a period in epoch milliseconds. */
export const beginMs = (moment: Moment, { nowMs, timeZone }: Wall): number => {
  if ('agoMs' in moment) return nowMs - moment.agoMs;
  return 'day' in moment ? Date.parse(startOfBankDay(moment.day, timeZone)) : moment.instantMs;
};

/** The end of a period in epoch milliseconds, exclusive. If the end is a day, the period includes that day. */
export const endMs = (moment: Moment, wall: Wall): number =>
  beginMs('day' in moment ? { day: addDays(moment.day, 1) } : moment, wall);
