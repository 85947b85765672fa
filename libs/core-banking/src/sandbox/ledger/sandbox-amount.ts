import { parseAmount } from '@xs2a/domain/money/money';

/**
 * The maximum amount: far above what tests need, but low enough that the sum of thousands of deposits is still
 * exact.
 */
const maxMinor = 100_000_000_000_000;

/**
 * Parses an amount in major units into minor units, or returns a text that describes the error. Zero is valid only
 * if `allowZero` is set.
 */
export const sandboxAmount = (value: unknown, currency: string, allowZero: boolean): number | string => {
  if (allowZero && typeof value === 'string' && /^0(\.0{1,3})?$/.test(value)) return 0;
  const parsed = parseAmount(value, currency);
  if ('reason' in parsed) return parsed.reason;
  return parsed.minor <= maxMinor
    ? parsed.minor
    : 'The sandbox books amounts up to 10^14 minor units. Send a smaller one.';
};
