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

/** The codes that are explained to TPPs and PSUs; any other is one of the payee's bank. */
export const explainedCodes = [
  'AM04',
  'AM14',
  'AC06',
  'AC01',
  'AC04',
  'AG01',
  'AB05',
  'AB08',
  'AB11',
  'MS03',
] as const;
type ExplainedCode = (typeof explainedCodes)[number];
/** A text for each explained code, and one for all others. */
export type ReasonTexts = Readonly<Record<ExplainedCode | 'other', string>>;

/** Returns the text for a code. */
export const textOfCode = (texts: ReasonTexts, code: ReasonCode): string =>
  texts[explainedCodes.find((explained) => explained === code) ?? 'other'];

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
