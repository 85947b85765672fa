import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { hasPurposeCode, purposeCodes, readRemittance } from './purpose-codes.js';

const runs = { numRuns: 10_000 };
const known = new Map(purposeCodes.map(([code, layout]) => [code, layout]));
const makeCode = (layout: 'A' | 'B'): fc.Arbitrary<string> =>
  fc.constantFrom(...purposeCodes.filter(([, one]) => one === layout).map(([code]) => code));
const text = fc
  .string({ minLength: 1, maxLength: 140 })
  .filter((one) => one.trim() !== '' && !/[\n\r\u2028\u2029]/.test(one));
const reference = text.filter((one) => !one.includes('%'));
const blanks = fc.string({ unit: fc.constantFrom(' ', '\u00a0', '\u3000'), maxLength: 5 });

describe('a purpose code at the start of a remittance text (spec 2.4)', () => {
  it('is recognised in layout A: the code, two per cent signs, and a text that may contain per cent signs', () => {
    fc.assert(
      fc.property(makeCode('A'), text, (purpose, said) => {
        expect(readRemittance(`${purpose}%%${said}`)).toEqual({ purpose, text: said });
      }),
      runs,
    );
  });

  it('is recognised in layout B: the code, a reference number between per cent signs, and a text', () => {
    fc.assert(
      fc.property(makeCode('B'), reference, text, (purpose, number, said) => {
        const read = readRemittance(`${purpose}%${number}%${said}`);
        expect(read).toEqual({ purpose, reference: number, text: said });
      }),
      runs,
    );
  });

  it('is not recognised in the other layout or with a blank text or reference number', () => {
    fc.assert(
      fc.property(makeCode('A'), makeCode('B'), reference, text, blanks, (a, b, number, said, blank) => {
        const wrong = [
          `${a}%${number}%${said}`,
          `${b}%%${said}`,
          `${a}%%${blank}`,
          `${b}%${number}%${blank}`,
          `${b}%${blank}%${said}`,
        ];
        expect(wrong.map(readRemittance)).toEqual(wrong.map((whole) => ({ text: whole })));
      }),
      runs,
    );
  });

  it('cannot be a three-digit number outside the table', () => {
    for (let number = 0; number < 1000; number += 1) {
      const code = String(number).padStart(3, '0');
      const taken = [`${code}%%text`, `${code}%1%text`].map(hasPurposeCode);
      expect([code, ...taken]).toEqual([code, known.get(code) === 'A', known.get(code) === 'B']);
    }
  });

  it('can be separated from any text without loss', () => {
    const almost = fc.tuple(
      fc.oneof(makeCode('A'), makeCode('B'), fc.string({ maxLength: 4 })),
      fc.constantFrom('', '%', '%%', '%%%', ' %%', '%12%'),
      fc.string(),
    );
    fc.assert(
      fc.property(almost, (parts) => {
        const whole = parts.join('');
        const { purpose, reference: number = '', text: rest } = readRemittance(whole);
        expect(purpose === undefined ? rest : `${purpose}%${number}%${rest}`).toBe(whole);
        expect(purpose !== undefined).toBe(hasPurposeCode(whole));
      }),
      runs,
    );
  });
});
