/** An account number as its last four characters. */
export const lastFour = (account: string): string => `…${account.slice(-4)}`;

const ibans = /(?<![A-Z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?![A-Z0-9])/g;
/** Of people and what they wrote; an operator needs neither. */
const personal = /name|remittance|address/i;
const accounts = /(?:iban|bban|account|pan|msisdn)$/i;

/**
 * What an operator may see of an event's data: account numbers as their last four characters, wherever they stand; names,
 * addresses and remittance texts not at all.
 */
export const masked = (value: unknown, key = ''): unknown => {
  if (Array.isArray(value)) return value.map((one) => masked(one, key));
  if (typeof value === 'object' && value !== null) {
    if (personal.test(key)) return '(hidden)';
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, masked(one, name)]));
  }
  if (value === undefined || value === null || typeof value === 'boolean') return value;
  if (personal.test(key)) return '(hidden)';
  if (accounts.test(key)) return lastFour(String(value));
  return typeof value === 'string' ? value.replace(ibans, lastFour) : value;
};
