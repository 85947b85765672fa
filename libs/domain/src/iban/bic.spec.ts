import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { countryOfBic, isBic } from './bic.js';
import { countryCodes } from './countries.js';

const runs = { numRuns: 10_000 };
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';
const of = (characters: string, length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: length, maxLength: length });
/**
 * Generates a BICFIDec2014: institution, country, location (does not start with 0 or 1; its second character is
 * not the letter O), and an optional branch.
 */
const bic = fc
  .tuple(
    of(letters, 4),
    fc.constantFrom(...countryCodes),
    of(letters + digits.slice(2), 1),
    of(letters.replace('O', '') + digits, 1),
    fc.oneof(fc.constant(''), of(letters + digits, 3)),
  )
  .map((parts) => parts.join(''));

describe('the BIC check (ISO 9362)', () => {
  it('accepts every well-formed BIC and returns its country', () => {
    fc.assert(
      fc.property(bic, (one) => {
        expect([one, isBic(one), countryCodes.has(countryOfBic(one))]).toEqual([one, true, true]);
      }),
      runs,
    );
  });

  it('rejects a BIC with a missing, extra or lower-case character', () => {
    const wrong = fc.tuple(bic, fc.nat({ max: 10 }), fc.constantFrom('lost', 'added', 'lower case'));
    fc.assert(
      fc.property(wrong, ([one, position, how]) => {
        const at = position % one.length;
        const before = one.slice(0, at);
        const changed = {
          lost: before + one.slice(at + 1),
          added: `${before}A${one.slice(at)}`,
          'lower case': `${before}${one.charAt(at).toLowerCase()}${one.slice(at + 1)}`,
        }[how];
        expect(isBic(changed)).toBe(changed === one);
      }),
      runs,
    );
  });

  it('accepts only the codes of real countries', () => {
    for (const first of letters)
      for (const second of letters)
        expect([first + second, isBic(`XSBK${first}${second}SF`)]).toEqual([
          first + second,
          countryCodes.has(first + second),
        ]);
  });

  it('rejects any value that is not 8 or 11 valid characters', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.jsonValue()), (value) => {
        expect(
          isBic(value) && !(typeof value === 'string' && /^[A-Z0-9]{8}([A-Z0-9]{3})?$/.test(value)),
        ).toBe(false);
      }),
      runs,
    );
  });
});
