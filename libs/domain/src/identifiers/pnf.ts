import { weightedSum } from './check-digits.js';

const pnfPattern = /^[0-9]{10}$/;

/** True for the personal number of a foreigner (PNF, in Bulgarian LNCh) with a right check digit. */
export const isPnf = (value: string): boolean =>
  pnfPattern.test(value) && weightedSum(value, [21, 19, 17, 13, 11, 9, 7, 3, 1]) % 10 === Number(value[9]);
