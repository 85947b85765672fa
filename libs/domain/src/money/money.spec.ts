import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { currencies, countDecimals } from './currencies.js';
import { formatAmount, parseAmount } from './money.js';

describe('amount parsing and formatting (contract 8)', () => {
  it.each([
    ['12.50', 'BGN', 1250],
    ['12.5', 'BGN', 1250],
    ['12', 'BGN', 1200],
    ['0.01', 'EUR', 1],
    ['12', 'JPY', 12],
    ['90071992547409.91', 'BGN', Number.MAX_SAFE_INTEGER],
    ['99999999999999', 'JPY', 99_999_999_999_999],
  ])('parses %s %s as %d minor units', (value, currency, minor) => {
    expect(parseAmount(value, currency)).toEqual({ minor, currency });
  });

  it.each([
    '',
    ' ',
    '0',
    '0.00',
    '-1.00',
    '+1.00',
    '1,00',
    '1.',
    '.5',
    '01.00',
    '00',
    '1e3',
    '1.234',
    '1.2345',
    ' 1.00',
    '1.00 ',
    '1.00\n',
    '1 000.00',
    'NaN',
    'Infinity',
    '0x10',
    '١٢',
    '１２',
    '100000000000000',
    '90071992547409.92',
    12.5,
    12,
    null,
    undefined,
    true,
    ['1.00'],
    { amount: '1.00' },
  ])('refuses %j as an amount in BGN', (value) => {
    expect(parseAmount(value, 'BGN')).toMatchObject({ field: 'amount' });
  });

  it('states the maximum amount in the failure (contract 8)', () => {
    expect(parseAmount('90071992547409.92', 'BGN')).toEqual({
      field: 'amount',
      reason: 'Send at most 90071992547409.91: larger amounts are not exact.',
    });
  });

  it('accepts at most 14 digits before the decimal point, even if a longer amount could be represented exactly', () => {
    expect(parseAmount('99999999999999', 'JPY')).toMatchObject({ minor: 99_999_999_999_999 });
    expect(parseAmount('100000000000000', 'JPY')).toMatchObject({ field: 'amount' });
  });

  it('accepts no more decimals than the currency has', () => {
    expect(parseAmount('12.5', 'JPY')).toMatchObject({ field: 'amount' });
    expect(parseAmount('12.501', 'BGN')).toMatchObject({ field: 'amount' });
  });

  it.each(['bgn', 'BG', 'BGNN', 'B1N', '', 'BGN\n', null, undefined, 975])(
    'refuses currency %j',
    (currency) => {
      expect(parseAmount('1.00', currency)).toMatchObject({ field: 'currency' });
    },
  );

  it('accepts a well-formed but unsupported currency, which the profile rules refuse later', () => {
    expect(parseAmount('1.00', 'GBP')).toEqual({ minor: 100, currency: 'GBP' });
  });

  it('formats a parsed amount back to the same text, in every currency', () => {
    const amount = fc.record({
      minor: fc.integer({ min: 1, max: 99_999_999_999_999 }),
      currency: fc.constantFrom(...currencies.map(({ code }) => code)),
    });
    fc.assert(
      fc.property(amount, (money) => {
        const text = formatAmount(money);
        expect(parseAmount(text, money.currency)).toEqual(money);
        expect(text.split('.')[1]?.length ?? 0).toBe(countDecimals(money.currency));
      }),
      { numRuns: 10_000 },
    );
  });

  it.each([
    [18_014_398_509_481_982n, 'EUR', '180143985094819.82'],
    [18_014_398_509_481_983n, 'JPY', '18014398509481983'],
    [-1n, 'EUR', '-0.01'],
  ])('formats a sum of %d minor units of %s as %s, exactly', (minor, currency, text) => {
    expect(formatAmount({ minor, currency })).toBe(text);
  });

  /**
   * The number of cents in an amount with two decimals, parsed digit by digit, independently of the code under
   * test.
   */
  const parseCents = (text: string): bigint | undefined => {
    const [whole = '', fraction, ...more] = text.split('.');
    const areDigits = [...whole, ...(fraction ?? '')].every((one) => '0123456789'.includes(one));
    const isLong = whole.length > 14 || (fraction?.length ?? 0) > 2;
    if (!areDigits || isLong || more.length > 0 || whole === '' || fraction === '') return undefined;
    if (whole.length > 1 && whole.startsWith('0')) return undefined;
    const cents = BigInt(whole) * 100n + BigInt((fraction ?? '').padEnd(2, '0'));
    return cents > 0n && cents < 2n ** 53n ? cents : undefined;
  };

  it('accepts exactly the strings that match the pattern, and returns the exact number of cents', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'00123456789'), maxLength: 16 });
    const almost = fc
      .tuple(
        fc.constantFrom('', '', '', '-', '+', ' ', '0'),
        digits,
        fc.constantFrom('', '.', '.', ',', 'e'),
        digits,
      )
      .map((parts) => parts.join(''));
    const likely = fc
      .tuple(fc.integer({ min: 0, max: 99_999_999_999_999 }), fc.constantFrom('', '.'), fc.nat({ max: 120 }))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(likely, almost, fc.string()), (text) => {
        const amount = parseAmount(text, 'EUR');
        expect([text, 'minor' in amount ? BigInt(amount.minor) : undefined]).toEqual([
          text,
          parseCents(text),
        ]);
      }),
      { numRuns: 10_000 },
    );
  });

  it.each([
    [{ minor: 5, currency: 'BGN' }, '0.05'],
    [{ minor: -1250, currency: 'BGN' }, '-12.50'],
    [{ minor: 0, currency: 'BGN' }, '0.00'],
    [{ minor: 12, currency: 'JPY' }, '12'],
    [{ minor: -7, currency: 'JPY' }, '-7'],
  ])('formats %j as %s', (money, text) => {
    expect(formatAmount(money)).toBe(text);
  });
});

describe('currencies (spec 1.6)', () => {
  it('are the thirteen in the specification, each listed once', () => {
    const codes = currencies.map(({ code }) => code);
    expect(codes.join(' ')).toBe('BGN USD EUR JPY CHF AUD CAD DKK HUF NOK SEK PLN RON');
  });
});
