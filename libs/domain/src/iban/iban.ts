import { ibanLengths } from './iban-lengths.js';

const form = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/;
/** The format of a Bulgarian BBAN: bank code, branch, account type and account number. */
const bulgarianBban = /^[A-Z]{4}[0-9]{6}[A-Z0-9]{8}$/;

const [digit0, letterA] = [0x30, 0x41] as const;

/** The ISO 7064 MOD 97-10 remainder of the rearranged IBAN, with letters converted to 10..35. */
function remainder(iban: string): number {
  let rest = 0;
  for (let index = 0; index < iban.length; index += 1) {
    const code = iban.charCodeAt((index + 4) % iban.length);
    rest = (code >= letterA ? rest * 100 + code - letterA + 10 : rest * 10 + code - digit0) % 97;
  }
  return rest;
}

/**
 * True for a valid IBAN in electronic format: no spaces, upper case, the length that its country requires, and
 * valid check digits (ISO 13616).
 */
export function isIban(value: string): boolean;
export function isIban(value: unknown): value is string;
export function isIban(value: unknown): boolean {
  if (typeof value !== 'string' || !form.test(value)) return false;
  if (!Object.hasOwn(ibanLengths, value.slice(0, 2)) || value.length !== ibanLengths[value.slice(0, 2)])
    return false;
  if (value.startsWith('BG') && !bulgarianBban.test(value.slice(4))) return false;
  const checkDigits = Number(value.slice(2, 4));
  return checkDigits >= 2 && checkDigits <= 98 && remainder(value) === 1;
}

/** ISO 3166 country of a valid IBAN. */
export const getCountry = (iban: string): string => iban.slice(0, 2);

/** The bank's four letters in a Bulgarian IBAN; undefined for other countries. */
export const findBankCode = (iban: string): string | undefined =>
  iban.startsWith('BG') ? iban.slice(4, 8) : undefined;

/** The character at position 13 (1-based), which is 8 or 3 in budget accounts (spec 2.4). */
export const position13 = (iban: string): string => iban.charAt(12);
