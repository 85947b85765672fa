import { isIsoDate } from '../time/bank-calendar.js';
import { weightedSum } from './check-digits.js';

const egnPattern = /^[0-9]{10}$/;

/** The date of birth in the first six digits: 20 is added to the month for the years 18xx, and 40 for 20xx. */
function birthDate(digits: string): string {
  const month = Number(digits.slice(2, 4));
  const [century, added] = month > 40 ? [20, 40] : month > 20 ? [18, 20] : [19, 0];
  const monthOfYear = String(month - added).padStart(2, '0');
  return `${century}${digits.slice(0, 2)}-${monthOfYear}-${digits.slice(4, 6)}`;
}

/** True for the personal number of a citizen (EGN): a date that exists, and a right check digit. */
export const isEgn = (value: string): boolean =>
  egnPattern.test(value) &&
  isIsoDate(birthDate(value)) &&
  (weightedSum(value, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === Number(value[9]);
