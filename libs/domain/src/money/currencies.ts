/** A currency of the production API (spec 1.6). */
export interface Currency {
  /** ISO 4217 alphabetic code. */
  readonly code: string;
  /** Digits after the point: minor units are amount × 10^decimals. */
  readonly decimals: number;
}

const currency = (code: string, decimals: number): Currency => ({ code, decimals });

/** ISO 4217 data of the thirteen currencies of spec 1.6, in its order. */
export const currencies: readonly Currency[] = [
  currency('BGN', 2),
  currency('USD', 2),
  currency('EUR', 2),
  currency('JPY', 0),
  currency('CHF', 2),
  currency('AUD', 2),
  currency('CAD', 2),
  currency('DKK', 2),
  currency('HUF', 2),
  currency('NOK', 2),
  currency('SEK', 2),
  currency('PLN', 2),
  currency('RON', 2),
];

const byCode = new Map(currencies.map((row) => [row.code, row]));

/** The row of a currency; undefined for one that the bank does not know. */
export const findCurrency = (code: string): Currency | undefined => byCode.get(code);

/**
 * Decimals of any currency by ISO 4217. One that is not in the table is taken to have two, as most have: its amount is
 * then refused for the currency (PAYMENT_FAILED), not for its form.
 */
export const countDecimals = (code: string): number => byCode.get(code)?.decimals ?? 2;
