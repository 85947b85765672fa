import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { exchange, type ExchangeRate, type ExchangeRates, parseMillionths } from './exchange.js';

const table: ExchangeRates = {
  homeCurrency: 'BGN',
  rates: new Map([
    ['EUR', { buy: 1_955_830, sell: 1_955_830 }],
    ['USD', { buy: 1_660_000, sell: 1_730_000 }],
    ['HUF', { buy: 4900, sell: 5100 }],
    ['JPY', { buy: 10_800, sell: 11_400 }],
  ]),
};
const decimals = new Map([['JPY', 0]]);

/**
 * The value of an amount at one side of the rate (buying or selling), in units so small that the value is a whole
 * number for every rate.
 */
const inHomeCurrency = (minor: number, currency: string, side: keyof ExchangeRate): bigint =>
  BigInt(minor) *
  BigInt(table.rates.get(currency)?.[side] ?? 1_000_000) *
  10n ** BigInt(3 - (decimals.get(currency) ?? 2));

describe('exchange (contract 8, FX)', () => {
  it.each([
    // The bank sells dollars: 100.00 × 1.73
    [{ minor: 10_000, currency: 'USD' }, 'BGN', { minor: 17_300, currency: 'BGN' }, '1.73'],
    // The bank buys dollars: 100.00 / 1.66 = 60.2409…
    [{ minor: 10_000, currency: 'BGN' }, 'USD', { minor: 6025, currency: 'USD' }, '0.60241'],
    // 100.00 × 1.73 / 1.95583 = 88.4535…
    [{ minor: 10_000, currency: 'USD' }, 'EUR', { minor: 8846, currency: 'EUR' }, '0.884535'],
    // 2.94 × 0.0051 = 0.014994; the debit is never below this value
    [{ minor: 294, currency: 'HUF' }, 'BGN', { minor: 2, currency: 'BGN' }, '0.0051'],
    // The yen has no decimals: 1,000 × 0.0114
    [{ minor: 1000, currency: 'JPY' }, 'BGN', { minor: 1140, currency: 'BGN' }, '0.0114'],
    [{ minor: 1, currency: 'BGN' }, 'JPY', { minor: 1, currency: 'JPY' }, '92.592593'],
  ])('converts %j to %s', (amount, currency, expected, rate) => {
    expect(exchange(amount, currency, table)).toEqual({ amount: expected, rate });
  });

  it('is not possible for a currency outside the table', () => {
    expect(exchange({ minor: 1, currency: 'PLN' }, 'BGN', table)).toBeUndefined();
    expect(exchange({ minor: 1, currency: 'BGN' }, 'PLN', table)).toBeUndefined();
  });

  it('refuses amounts that cannot be converted exactly', () => {
    expect(exchange({ minor: Number.MAX_SAFE_INTEGER, currency: 'USD' }, 'BGN', table)).toBeUndefined();
  });

  it('debits at least the value at the exchange rate, and less than one minor unit more', () => {
    const currency = fc.constantFrom('BGN', 'EUR', 'USD', 'HUF', 'JPY');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), currency, currency, (minor, sold, bought) => {
        const debit = exchange({ minor, currency: sold }, bought, table)?.amount.minor ?? 0;
        const worth = inHomeCurrency(minor, sold, 'sell');
        expect(inHomeCurrency(debit, bought, 'buy') >= worth).toBe(true);
        expect(inHomeCurrency(debit - 1, bought, 'buy') < worth).toBe(true);
      }),
      { numRuns: 10_000 },
    );
  });

  it.each([
    ['1.95583', 1_955_830],
    ['0.000001', 1],
    ['100', 100_000_000],
  ])('parses %s', (text, value) => {
    expect(parseMillionths(text)).toBe(value);
  });
  it.each(['', '1.', '.5', '-1', '1.0000001', '1e3', 1.5, null])('refuses to parse %j', (text) => {
    expect(parseMillionths(text)).toBeUndefined();
  });
});
