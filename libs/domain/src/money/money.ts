import type { MinorAmount } from '../payment/payment-events.js';
import { countDecimals } from './currencies.js';

/** Why an amount is refused, as a text for the TPP, and which field is wrong: the amount or the currency. */
export interface AmountProblem {
  readonly reason: string;
  readonly field: 'amount' | 'currency';
}

/** A sum of amounts, which may exceed the safe integer range. */
export interface MinorSum {
  readonly minor: bigint;
  readonly currency: string;
}

const amountPattern = /^(0|[1-9][0-9]{0,13})(?:\.([0-9]{1,3}))?$/;
const currencyPattern = /^[A-Z]{3}$/;

/**
 * Parses an amount in major units ("12.50") into minor units (contract 8). The amount must be positive, with at
 * most 14 digits before the decimal point and no more decimals than the currency has. Amounts above 2^53-1 minor
 * units are refused because a JavaScript number cannot represent them exactly. The profile decides whether the
 * currency is supported.
 */
export function parseAmount(value: unknown, currency: unknown): MinorAmount | AmountProblem {
  if (typeof currency !== 'string' || !currencyPattern.test(currency)) {
    return { reason: 'Send the currency as three capital letters of ISO 4217.', field: 'currency' };
  }
  const match = typeof value === 'string' ? amountPattern.exec(value) : null;
  if (match === null) {
    return {
      reason: 'Send the amount as a string: digits, and a point before decimals, such as "12.50".',
      field: 'amount',
    };
  }
  const decimals = countDecimals(currency);
  const fraction = match[2] ?? '';
  if (fraction.length > decimals) {
    return { reason: `Send at most ${decimals} decimals in this currency.`, field: 'amount' };
  }
  const minor = BigInt(`${match[1]}${fraction.padEnd(decimals, '0')}`);
  if (minor === 0n) return { reason: 'Send an amount above zero.', field: 'amount' };
  if (minor > BigInt(Number.MAX_SAFE_INTEGER)) {
    const maxAmount = formatAmount({ minor: Number.MAX_SAFE_INTEGER, currency });
    return { reason: `Send at most ${maxAmount}: larger amounts are not exact.`, field: 'amount' };
  }
  return { minor: Number(minor), currency };
}

/**
 * Formats minor units as major units with all decimals of the currency: "12.50", "-0.05", "12" for JPY. Sums can
 * be of any size.
 */
export function formatAmount({ minor, currency }: MinorAmount | MinorSum): string {
  const decimals = countDecimals(currency);
  const digits = String(minor < 0 ? -minor : minor).padStart(decimals + 1, '0');
  const sign = minor < 0 ? '-' : '';
  if (decimals === 0) return `${sign}${digits}`;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
