import type { MinorAmount } from '../payment/payment-events.js';
import { countDecimals } from './currencies.js';

/**
 * The bank's buying and selling prices for one unit of a foreign currency, in the bank's home currency, as whole
 * millionths.
 */
export interface ExchangeRate {
  readonly buy: number;
  readonly sell: number;
}

/** The bank's exchange rates between its home currency and other currencies. */
export interface ExchangeRates {
  readonly homeCurrency: string;
  readonly rates: ReadonlyMap<string, ExchangeRate>;
}

export const millionths = 1_000_000n;

const findRate = ({ homeCurrency, rates }: ExchangeRates, currency: string): ExchangeRate | undefined =>
  currency === homeCurrency ? { buy: Number(millionths), sell: Number(millionths) } : rates.get(currency);

const power = (decimals: number): bigint => 10n ** BigInt(decimals);

/** Divides and rounds half up. Both operands must be positive. */
export const dividedHalfUp = (dividend: bigint, divisor: bigint): bigint =>
  (2n * dividend + divisor) / (2n * divisor);

/** Divides and rounds up. Both operands must be positive. */
const dividedUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;

/**
 * The cost of an amount in another currency, and the exchange rate: units of that currency per unit of the
 * amount's currency.
 */
export interface Exchanged {
  readonly amount: MinorAmount;
  /** Decimal text with up to six decimals. */
  readonly rate: string;
}

/**
 * The cost of an amount for an account in `currency`: the bank sells the amount's currency and buys the account's
 * currency. The cost is rounded up to the account's minor unit, so that the bank never loses value in an exchange
 * (if rounded half up, HUF 2.94 would cost only BGN 0.01). Undefined for a currency without a rate or an amount
 * that cannot be converted exactly.
 */
export function exchange(amount: MinorAmount, currency: string, table: ExchangeRates): Exchanged | undefined {
  const sold = findRate(table, amount.currency)?.sell;
  const bought = findRate(table, currency)?.buy;
  if (sold === undefined || bought === undefined) return undefined;
  const dividend = BigInt(amount.minor) * BigInt(sold) * power(countDecimals(currency));
  const minor = dividedUp(dividend, BigInt(bought) * power(countDecimals(amount.currency)));
  if (minor > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  const rate = dividedHalfUp(BigInt(sold) * millionths, BigInt(bought));
  return {
    amount: { minor: Number(minor), currency },
    rate: formatMillionths(rate),
  };
}

/** Formats millionths as decimal text without trailing zeros: 1955830 becomes "1.95583". */
export function formatMillionths(value: bigint): string {
  const fraction = String(value % millionths)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return `${value / millionths}${fraction === '' ? '' : `.${fraction}`}`;
}

const decimalPattern = /^(0|[1-9][0-9]{0,8})(?:\.([0-9]{1,6}))?$/;

/** Parses decimal text with up to six decimals into millionths; undefined for any other value. */
export function parseMillionths(value: unknown): number | undefined {
  const match = typeof value === 'string' ? decimalPattern.exec(value) : null;
  return match === null ? undefined : Number(`${match[1]}${(match[2] ?? '').padEnd(6, '0')}`);
}
