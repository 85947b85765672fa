/**
 * Converts an amount as people write it (`12,5`, `1 000`) to the API's format, with two decimals. Returns
 * undefined if the text is not an amount.
 */
export const parseAmount = (text: string | null): string | undefined => {
  const amount = (text ?? '')
    .trim()
    .replaceAll(/[\s\u00a0]/g, '')
    .replace(',', '.');
  return /^(0|[1-9]\d{0,13})(\.\d{1,2})?$/.test(amount) ? amountFromMinor(minorUnits(amount)) : undefined;
};

/** Converts an amount returned by {@link parseAmount} to minor units. */
export const minorUnits = (amount: string): bigint => {
  const [whole = '0', part = ''] = amount.split('.');
  return BigInt(whole + part.padEnd(2, '0'));
};

export const amountFromMinor = (minor: bigint): string => {
  const digits = minor.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
