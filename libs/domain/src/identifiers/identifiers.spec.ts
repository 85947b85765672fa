import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isEgn } from './egn.js';
import { isEik } from './eik.js';
import { isPnf } from './pnf.js';

/** Texts of exactly this many digits. */
const digits = (length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((all) => all.join(''));

/** The last digits with which the text is accepted. */
const acceptedAfter = (start: string, isValid: (text: string) => boolean): number[] =>
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].filter((last) => isValid(`${start}${last}`));

// The slow computations follow the words of contract E2.5, digit by digit.

function slowEik9(d: readonly number[]): number {
  let sum = 0;
  for (let i = 1; i <= 8; i += 1) sum += i * (d[i - 1] ?? 0);
  if (sum % 11 !== 10) return sum % 11;
  sum = 0;
  for (let i = 1; i <= 8; i += 1) sum += (i + 2) * (d[i - 1] ?? 0);
  return sum % 11 === 10 ? 0 : sum % 11;
}

function slowEik13([d9 = 0, d10 = 0, d11 = 0, d12 = 0]: readonly number[]): number {
  const first = (2 * d9 + 7 * d10 + 3 * d11 + 5 * d12) % 11;
  if (first !== 10) return first;
  const second = (4 * d9 + 9 * d10 + 5 * d11 + 7 * d12) % 11;
  return second === 10 ? 0 : second;
}

function slowEgn([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0]: readonly number[]): number {
  const rest = (a * 2 + b * 4 + c * 8 + d * 5 + e * 10 + f * 9 + g * 7 + h * 3 + i * 6) % 11;
  return rest === 10 ? 0 : rest;
}

const slowPnf = ([
  a = 0,
  b = 0,
  c = 0,
  d = 0,
  e = 0,
  f = 0,
  g = 0,
  h = 0,
  i = 0,
]: readonly number[]): number =>
  (a * 21 + b * 19 + c * 17 + d * 13 + e * 11 + f * 9 + g * 7 + h * 3 + i) % 10;

const toNumbers = (text: string): number[] => [...text].map(Number);

/** Every day of three centuries, as the first six digits of an EGN. */
const birthDays = ((): ReadonlySet<string> => {
  const days = new Set<string>();
  for (let at = Date.UTC(1800, 0, 1); at < Date.UTC(2100, 0, 1); at += 86_400_000) {
    const [year = '', month = '', day = ''] = new Date(at).toISOString().slice(0, 10).split('-');
    const added = { '18': 20, '19': 0, '20': 40 }[year.slice(0, 2)] ?? 0;
    days.add(`${year.slice(2)}${String(Number(month) + added).padStart(2, '0')}${day}`);
  }
  return days;
})();

describe('identifiers of taxpayers (contract E2.5)', () => {
  it.each<[string, (text: string) => boolean, readonly string[]]>([
    ['EIK', isEik, ['999999995', '9999999950009']],
    ['EGN', isEgn, ['9901010002', '0141310019']],
    ['PNF', isPnf, ['1001122339']],
  ])('accept the right %s of contract E8.3', (_name, isValid, right) => {
    expect(right.filter((text) => !isValid(text))).toEqual([]);
  });

  it.each<[string, (text: string) => boolean]>([
    ['EIK', isEik],
    ['EGN', isEgn],
    ['PNF', isPnf],
  ])('refuse another length, letters and other digits as %s', (_name, isValid) => {
    const wrong = [
      '',
      '9',
      '99999999',
      '99999999500',
      '99999999500090',
      'BG9999999',
      ' 999999995',
      '٩٩٩٩٩٩٩٩٥',
    ];
    expect(wrong.filter(isValid)).toEqual([]);
  });

  it('take the one last digit of an EIK of 9 digits that the slow computation finds', () => {
    fc.assert(
      fc.property(digits(8), (start) => {
        expect(acceptedAfter(start, isEik)).toEqual([slowEik9(toNumbers(start))]);
      }),
    );
  });

  it('take the one last digit of an EIK of 13 digits whose first nine are right', () => {
    fc.assert(
      fc.property(digits(8), digits(3), fc.integer({ min: 0, max: 9 }), (start, branch, ninth) => {
        const isRight = ninth === slowEik9(toNumbers(start));
        const twelve = `${start}${ninth}${branch}`;
        expect(acceptedAfter(twelve, isEik)).toEqual(isRight ? [slowEik13(toNumbers(twelve.slice(8)))] : []);
      }),
    );
  });

  it('take an EGN only if its date exists in one of three centuries, with one last digit', () => {
    const start = fc.oneof(digits(6), fc.constantFrom(...birthDays));
    fc.assert(
      fc.property(start, digits(3), (date, order) => {
        const nine = `${date}${order}`;
        expect(acceptedAfter(nine, isEgn)).toEqual(birthDays.has(date) ? [slowEgn(toNumbers(nine))] : []);
      }),
    );
  });

  it.each(['0002291', '0042291', '0022291', '9913011', '9953311', '9900101', '9960011'])(
    'know leap years and the added months: %s',
    (start) => {
      const isDay = birthDays.has(start.slice(0, 6));
      expect(acceptedAfter(`${start}00`, isEgn)).toHaveLength(isDay ? 1 : 0);
    },
  );

  it('take the one last digit of a PNF that the slow computation finds', () => {
    fc.assert(
      fc.property(digits(9), (start) => {
        expect(acceptedAfter(start, isPnf)).toEqual([slowPnf(toNumbers(start))]);
      }),
    );
  });
});
