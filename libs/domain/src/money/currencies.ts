/** A currency of the production API (spec 1.6). */
export interface Currency {
  /** ISO 4217 alphabetic code. */
  readonly code: string;
  /** Digits after the point: minor units are amount × 10^decimals. */
  readonly decimals: number;
  /** Legal tender in the European Economic Area: decides who may bear charges (contract 8). */
  readonly isEea: boolean;
}

const currency = (code: string, decimals: number, isEea: boolean): Currency => ({ code, decimals, isEea });

/** ISO 4217 data of the thirteen currencies of spec 1.6, in its order. */
export const currencies: readonly Currency[] = [
  currency('BGN', 2, true),
  currency('USD', 2, false),
  currency('EUR', 2, true),
  currency('JPY', 0, false),
  currency('CHF', 2, false),
  currency('AUD', 2, false),
  currency('CAD', 2, false),
  currency('DKK', 2, true),
  currency('HUF', 2, true),
  currency('NOK', 2, true),
  currency('SEK', 2, true),
  currency('PLN', 2, true),
  currency('RON', 2, true),
];

const byCode = new Map(currencies.map((row) => [row.code, row]));

/** The row of a currency; undefined for one that the bank does not know. */
export const currencyOf = (code: string): Currency | undefined => byCode.get(code);

/**
 * Decimals of any currency by ISO 4217. One that is not in the table is taken to have two, as most have: its amount is
 * then refused for the currency (PAYMENT_FAILED), not for its form.
 */
export const decimalsOf = (code: string): number => byCode.get(code)?.decimals ?? 2;
