import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { countrySpecs } from 'ibantools';
import { isBic } from './bic.js';
import { countryCodes } from './countries.js';
import { ibanLengths } from './iban-lengths.js';
import { findBankCode, getCountry, isIban, position13 } from './iban.js';

const examples = [
  'BG25XSBK92001000000001',
  'BG88BNBG96618000195001',
  'BG26RZBB91551023456789',
  'DE89370400440532013000',
  'GB82WEST12345698765432',
  'FR1420041010050500013M02606',
  'NO9386011117947',
  'MT84MALT011000012345MTLCAST001S',
  'CH9300762011623852957',
  'NL91ABNA0417164300',
  'ES9121000418450200051332',
  'IT60X0542811101000000123456',
  'BE68539007547034',
  'AT611904300234573201',
  'PL61109010140000071219812874',
  'RO49AAAA1B31007593840000',
  'SE4550000000058398257466',
  'TR330006100519786457841326',
  'SA0380000000608010167519',
  'XK051212012345678906',
];

describe('IBAN (spec 1.2, ISO 13616)', () => {
  it.each(examples)('accepts %s', (iban) => {
    expect(isIban(iban)).toBe(true);
  });

  it.each([
    ['lower case', 'bg25xsbk92001000000001'],
    ['spaces', 'BG25 XSBK 9200 1000 0000 01'],
    ['wrong check digits', 'BG26XSBK92001000000001'],
    ['too short', 'BG25XSBK9200100000000'],
    ['too long', 'BG25XSBK920010000000011'],
    ['a country without IBANs', 'US25XSBK92001000000001'],
    ['no such country', 'ZZ25XSBK92001000000001'],
    ['a name every object has', 'toString'],
    ['a new line at the end', 'BG25XSBK92001000000001\n'],
    ['empty', ''],
    ['not text', 12],
    ['an array', ['BG25XSBK92001000000001']],
    ['nothing', null],
  ])('refuses %s', (_why, value) => {
    expect(isIban(value)).toBe(false);
  });

  it('refuses check digits that satisfy the checksum but differ from the computed ones', () => {
    // Check digits that are 97 above or below the computed ones also satisfy the checksum: 01 if 98 is
    // correct, 00 if 97 is correct, and 99 if 02 is correct.
    const pairs = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'));
    const right = Array.from({ length: 300 }, (_, n) =>
      pairs.filter((digits) => isIban(`NO${digits}${86_011_117_000 + n}`)),
    );
    expect(right.filter((digits) => digits.length !== 1)).toEqual([]);
    const all = new Set(right.flat());
    expect(['00', '01', '02', '97', '98', '99'].map((digits) => all.has(digits))).toEqual([
      false,
      false,
      true,
      true,
      true,
      false,
    ]);
  });

  it('detects every single wrong digit', () => {
    const change = fc.tuple(fc.constantFrom(...examples), fc.nat(), fc.constantFrom(...'0123456789'));
    fc.assert(
      fc.property(change, ([iban, at, digit]) => {
        const digits = [...iban].flatMap((character, index) => (/[0-9]/.test(character) ? [index] : []));
        const index = digits[at % digits.length] ?? 0;
        const changed = iban.slice(0, index) + digit + iban.slice(index + 1);
        expect(isIban(changed)).toBe(changed === iban);
      }),
      { numRuns: 10_000 },
    );
  });

  it('accepts every well-formed IBAN, and rejects a missing or extra character and wrong check digits', () => {
    const country = fc.constantFrom(...Object.entries(ibanLengths));
    const characters = fc.string({
      unit: fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
      minLength: 30,
      maxLength: 30,
    });
    fc.assert(
      fc.property(country, characters, fc.integer({ min: 1, max: 96 }), ([code, length], text, more) => {
        const build = (bban: string, add = 0): string => {
          const number = [...`${bban}${code}00`].map((one) => Number.parseInt(one, 36)).join('');
          const digits = Number(98n - (BigInt(number) % 97n));
          return `${code}${String(((digits - 2 + add) % 97) + 2).padStart(2, '0')}${bban}`;
        };
        // A Bulgarian BBAN starts with the bank's four letters and six digits.
        const bban = `${code === 'BG' ? 'XSBK920010' : ''}${text}`.slice(0, length - 4);
        const wrong = [build(bban.slice(0, -1)), build(`${bban}0`), build(bban, more)];
        expect([build(bban), ...wrong].map((one) => [one, isIban(one)])).toEqual(
          [build(bban), ...wrong].map((one, at) => [one, at === 0]),
        );
      }),
      { numRuns: 10_000 },
    );
  });

  it('agrees with the ibantools package on countries and lengths', () => {
    expect(Object.keys(ibanLengths).map((code) => [code, countrySpecs[code]?.chars])).toEqual(
      Object.entries(ibanLengths),
    );
    // Territories that are listed only by ibantools; the registry covers them with the codes FI and FR.
    const territories = ['AX', 'GF', 'GP', 'MF', 'MQ', 'NC', 'PF', 'PM', 'RE', 'TF', 'WF', 'YT'];
    expect(
      Object.entries(countrySpecs)
        .filter(([code, { IBANRegistry }]) => IBANRegistry === true && !(code in ibanLengths))
        .map(([code]) => code),
    ).toEqual(territories);
  });

  it('reads the country, the Bulgarian bank code and position 13', () => {
    expect(getCountry('DE89370400440532013000')).toBe('DE');
    expect(findBankCode('BG25XSBK92001000000001')).toBe('XSBK');
    expect(findBankCode('DE89370400440532013000')).toBeUndefined();
    expect(position13('BG88BNBG96618000195001')).toBe('8');
    expect(position13('BG39BNBG96613100195002')).toBe('3');
    expect(position13('BG26RZBB91551023456789')).toBe('1');
  });
});

describe('BIC (ISO 9362)', () => {
  it.each(['XSBKBGSF', 'DEUTDEFF', 'DEUTDEFF500', 'NEDSZAJJXXX', 'RZBBBGSF'])('accepts %s', (bic) => {
    expect(isBic(bic)).toBe(true);
  });

  it.each([
    'xsbkbgsf',
    'XSBKBGS',
    'XSBKBGSFX',
    'XSBKBGSFXX',
    'XSBKZZSF',
    'XSB1BGSF',
    'XSBKBGSF\n',
    '',
    null,
    5,
  ])('refuses %j', (value) => {
    expect(isBic(value)).toBe(false);
  });
});

describe('the country tables', () => {
  it('are consistent with each other', () => {
    expect(Object.keys(ibanLengths).filter((code) => !countryCodes.has(code))).toEqual([]);
    expect(countryCodes.size).toBe(250);
  });
});
