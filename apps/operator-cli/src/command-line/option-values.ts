import { InvalidArgumentError } from 'commander';
import { isIsoDate } from '@xs2a/domain/time/bank-calendar';
import { Refusal } from './refusal.js';
import { xs2a } from './own-name.js';

const numberBetween =
  (min: number, max: number, what: string) =>
  (text: string): number => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : -1;
    if (number < min || number > max) throw new InvalidArgumentError(`It is not ${what}.`);
    return number;
  };

export const wholeNumber = numberBetween(0, Infinity, 'a whole number');

/** Reads a whole number from 1 to a maximum. */
export const countUpTo = (max: number) => numberBetween(1, max, `a whole number from 1 to ${max}`);

export const httpStatus = numberBetween(200, 599, 'an HTTP status from 200 to 599');

/** Megabytes of a stream's bound: two messages of the largest size fit into the smallest. */
export const streamMegabytes = numberBetween(4, Infinity, 'a whole number of megabytes, at least 4');

export const isoDate = (text: string): string => {
  if (!isIsoDate(text)) throw new InvalidArgumentError('It is not a date like 2026-01-31.');
  return text;
};

/** Throws {@link Refusal} for what is no UUID. */
export const uuid = (text: string): string => {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text))
    throw new Refusal(
      `${text} is not the id of a notification. Run: ${xs2a('notifications dead-letters')}`,
      2,
    );
  return text.toLowerCase();
};
