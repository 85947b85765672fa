import { weightedSum } from './check-digits.js';

const eikPattern = /^(?:[0-9]{9}|[0-9]{13})$/;

/** The check digit modulo 11; a remainder of 10 is computed again with the second weights, where 10 counts as 0. */
function checkDigit(digits: string, first: readonly number[], second: readonly number[]): number {
  const remainder = weightedSum(digits, first) % 11;
  return remainder === 10 ? (weightedSum(digits, second) % 11) % 10 : remainder;
}

/** True for the identifier of a company (EIK) of 9 digits, or of its branch of 13, with right check digits. */
export function isEik(value: string): boolean {
  if (!eikPattern.test(value)) return false;
  const ofCompany = checkDigit(value, [1, 2, 3, 4, 5, 6, 7, 8], [3, 4, 5, 6, 7, 8, 9, 10]);
  if (ofCompany !== Number(value[8])) return false;
  return value.length === 9 || checkDigit(value.slice(8), [2, 7, 3, 5], [4, 9, 5, 7]) === Number(value[12]);
}
