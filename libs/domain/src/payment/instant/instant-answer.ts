/**
 * An ISO 20022 status reason code, such as AC04. The payee's bank may answer with any code.
 *
 * @pattern ^[A-Z]{2}[0-9]{2}$
 */
export type ReasonCode = string;
export const isReasonCode = (value: unknown): value is ReasonCode =>
  typeof value === 'string' && /^[A-Z]{2}[0-9]{2}$/.test(value);

/** The answer to an instant order: the payee has the money, or why not. */
export type InstantAnswer =
  | { readonly outcome: 'settled' }
  | { readonly outcome: 'rejected'; readonly reasonCode: ReasonCode };

/** The reasons that this bank itself gives (euro contract, E3.2). */
export const reasonCodes = {
  noAnswer: 'AB05',
  sentTooLate: 'AB11',
  noFunds: 'AM04',
} as const;
