import { countryCodes } from './countries.js';

/** The BICFIDec2014 pattern from the Berlin Group file. */
const form = /^[A-Z]{6}[A-Z2-9][A-NP-Z0-9](?:[A-Z0-9]{3})?$/;

/** True for a BIC of 8 or 11 characters with a real country (ISO 9362). */
export function isBic(value: string): boolean;
export function isBic(value: unknown): value is string;
export function isBic(value: unknown): boolean {
  return typeof value === 'string' && form.test(value) && countryCodes.has(value.slice(4, 6));
}

/** ISO 3166 country of a valid BIC. */
export const countryOfBic = (bic: string): string => bic.slice(4, 6);
