import { InvalidArgumentError } from 'commander';
import { isIsoDate } from '@xs2a/domain/time/bank-calendar';
import { Refusal } from './refusal.js';
import { xs2a } from './own-name.js';

export const wholeNumber = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is not a whole number.');
  return Number(text);
};

/** Megabytes of a stream's bound: two messages of the largest size fit into the smallest. */
export const streamMegabytes = (text: string): number => {
  const megabytes = wholeNumber(text);
  if (megabytes < 4) throw new InvalidArgumentError('It is not a whole number of megabytes, at least 4.');
  return megabytes;
};

/** Reads a whole number from 1 to a maximum. */
export const countUpTo =
  (max: number) =>
  (text: string): number => {
    const count = /^\d{1,15}$/.test(text) ? Number(text) : 0;
    if (count < 1 || count > max) {
      throw new InvalidArgumentError(`It is not a whole number from 1 to ${max}.`);
    }
    return count;
  };

export const isoDate = (text: string): string => {
  if (!isIsoDate(text)) throw new InvalidArgumentError('It is not a date like 2026-01-31.');
  return text;
};

export const httpStatus = (text: string): number => {
  const status = wholeNumber(text);
  if (status < 200 || status > 599)
    throw new InvalidArgumentError('It is not an HTTP status from 200 to 599.');
  return status;
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
