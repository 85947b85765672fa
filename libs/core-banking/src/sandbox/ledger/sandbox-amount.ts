import { parseAmount } from '@xs2a/domain/money/money';

/** The limit is far above what a test needs, and low enough that thousands of deposits stay exact. */
const maxMinor = 100_000_000_000_000;

/**
 * Reads an amount in major units into minor units, or answers a text that says what is wrong with it. Zero is right
 * only when allowed.
 */
export const sandboxAmount = (value: unknown, currency: string, allowZero: boolean): number | string => {
  if (allowZero && typeof value === 'string' && /^0(\.0{1,3})?$/.test(value)) return 0;
  const parsed = parseAmount(value, currency);
  if ('reason' in parsed) return parsed.reason;
  return parsed.minor <= maxMinor
    ? parsed.minor
    : 'The sandbox books amounts up to 10^14 minor units. Send a smaller one.';
};
