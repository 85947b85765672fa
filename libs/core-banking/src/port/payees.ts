import type { BankCall } from './bank-call.js';

/** How an organisation is identified in place of its name: Bulgarian register number, or ISO 17442. */
interface PayeeIdentification {
  readonly type: 'EIK' | 'LEI';
  readonly value: string;
}
/** A name or an identification, to be compared with the holder of an account. */
export type PayeeQuestion = { readonly iban: string } & (
  | {
      /** @maxLength 140 */
      readonly name: string;
    }
  | { readonly identification: PayeeIdentification }
);
export type PayeeAnswer =
  | { readonly verdict: 'MATCH' }
  | {
      readonly verdict: 'CLOSE_MATCH';
      /**
       * The holder's name, or of several the nearest.
       * @minLength 1
       * @maxLength 140
       */
      readonly name: string;
    }
  | { readonly verdict: 'NO_MATCH' }
  | {
      readonly verdict: 'NOT_POSSIBLE';
      /**
       * For operators, without data of customers: `account-unknown` for one that is unknown or closed, or for example
       * `identification-unknown` (a person has none) or `bank-not-reached`.
       * @maxLength 70
       */
      readonly reason: string;
    };

/** The payment for which a payee is verified. The sandbox bank simulates outcomes by it; it is not sent to a bank. */
export interface PayerContext {
  readonly psuId: string;
  readonly paymentId: string;
}

/** Verification of payee (contract 15). */
export interface PayeesPort {
  /**
   * Compares with the holders of an account at this bank, or asks the bank that has the account. Throws BankFault if
   * there is no usable answer before the deadline.
   */
  verify(question: PayeeQuestion, call: BankCall, payer?: PayerContext): Promise<PayeeAnswer>;
}
