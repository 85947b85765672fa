import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { levaPerEuro, levToEuro } from './lev-conversion.js';

/**
 * Long division by the digits of the rate, as one does it on paper: whole euro, then the decimals one by one, the
 * third of which decides the rounding.
 */
const byLongDivision = (stotinki: number): bigint => {
  const digits = String(Math.abs(stotinki));
  const divisor = BigInt(levaPerEuro.replace('.', ''));
  let quotient = '';
  let rest = 0n;
  // The rate has five decimals, so five zeros are appended; one more digit decides the rounding.
  for (const digit of `${digits}000000`) {
    rest = rest * 10n + BigInt(digit);
    quotient += String(rest / divisor);
    rest %= divisor;
  }
  const [kept, third] = [quotient.slice(0, -1), quotient.slice(-1)];
  const cents = BigInt(kept) + (third >= '5' ? 1n : 0n);
  return stotinki < 0 ? -cents : cents;
};

describe('leva converted into euro (contract E6.2)', () => {
  it.each([
    [500_000, 255_646],
    [1250, 639],
    [1, 1],
    [-12_345, -6312],
    [0, 0],
    [10_000, 5113],
    [25_000, 12_782],
    [1_000_000, 511_292],
    [10_000_000, 5_112_919],
    [2_000_000, 1_022_584],
    [30_000, 15_339],
  ])('%d stotinki are %d cents', (stotinki, cents) => {
    expect(levToEuro(stotinki)).toBe(cents);
  });

  it('agree with long division to the third decimal, for any amount and its negative', () => {
    fc.assert(
      fc.property(fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -9999, max: 9999 })), (stotinki) => {
        expect(BigInt(levToEuro(stotinki))).toBe(byLongDivision(stotinki));
      }),
      { numRuns: 10_000 },
    );
  });

  it('are refused if the amount is not exact', () => {
    expect(() => levToEuro(2 ** 53)).toThrow(RangeError);
    expect(() => levToEuro(0.5)).toThrow(RangeError);
  });
});
