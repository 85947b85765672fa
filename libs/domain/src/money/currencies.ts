/** A currency that the production API supports (spec 1.6). */
export interface Currency {
  /** ISO 4217 alphabetic code. */
  readonly code: string;
  /** The number of decimal places: minor units are amount × 10^decimals. */
  readonly decimals: number;
}

const currency = (code: string, decimals: number): Currency => ({ code, decimals });

/** ISO 4217 data for the thirteen currencies of spec 1.6, in the order of the specification. */
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

/** The table row of a currency; undefined if the bank does not support it. */
export const findCurrency = (code: string): Currency | undefined => byCode.get(code);

/**
 * The number of ISO 4217 decimals of any currency. A currency that is not in the table is treated as having two,
 * so that its amount is refused because of the currency (PAYMENT_FAILED) and not because of its format.
 */
export const countDecimals = (code: string): number => byCode.get(code)?.decimals ?? 2;
