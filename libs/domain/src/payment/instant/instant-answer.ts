/**
 * An ISO 20022 status reason code, such as AC04: four capital letters or digits. The payee's bank may answer with any code.
 */
export type ReasonCode = string;
export const isReasonCode = (value: unknown): value is ReasonCode =>
  typeof value === 'string' && /^[A-Z0-9]{4}$/.test(value);

/** The answer to an instant order: the payee has the money, or why not. */
export type InstantAnswer =
  | { readonly outcome: 'settled' }
  | {
      readonly outcome: 'rejected';
      /** An ISO 20022 status reason code: four capital letters or digits. Any other text counts as MS03. */
      readonly reasonCode: ReasonCode;
    };

/** The reasons that this bank itself gives (euro contract, E3.2). */
export const reasonCodes = {
  noAnswer: 'AB05',
  sentTooLate: 'AB11',
  noFunds: 'AM04',
  unspecified: 'MS03',
} as const;

/** Replaces a reason that is no ISO 20022 code. The rejection itself is valid. */
export const withKnownReason = (answer: InstantAnswer): InstantAnswer =>
  answer.outcome === 'rejected' && !isReasonCode(answer.reasonCode)
    ? { outcome: 'rejected', reasonCode: reasonCodes.unspecified }
    : answer;
