import type { Persons } from '../persons.js';

/** Removes spaces and converts to upper case, as an IBAN is stored. */
export const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, '').toUpperCase();

/**
 * True for a reason that names one of these persons or accounts, or that contains an account number or a ten-digit national
 * number. Such a reason may not be recorded, because records are kept for years.
 */
export const namesPerson = (reason: string, { psuIds, ibans }: Persons): boolean => {
  const plain = withoutSpaces(reason);
  return (
    [...psuIds, ...ibans].some((name) => plain.includes(withoutSpaces(name))) ||
    /\d{10}/.test(plain) ||
    /[A-Z]{2}\d{2}[A-Z0-9]{11}/.test(plain)
  );
};
