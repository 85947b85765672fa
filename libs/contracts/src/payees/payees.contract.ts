import type { PaymentPayee, PayeesVerified } from '@xs2a/domain/payee/payees-verified';
import type { PayeeCounts, PayeeVerificationResult } from '@xs2a/domain/payee/payment-payees';
import { call } from '../call.js';

/** A payee as named by the payer. */
export type NamedPayee = Pick<PaymentPayee, 'iban' | 'name'>;
/** Milliseconds for which the bank waits for the answers about the payees of a payment (contract 15). */
export const payeeWaitMs = { single: 3000, bulk: 5000 };

/**
 * Verifies the payees of a payment, each different one once. Never fails because of a payee's bank or the core bank:
 * a payee without an answer in time is NOT_POSSIBLE.
 */
export const verifyPayees = call<
  {
    readonly psuId: string;
    readonly paymentId: string;
    readonly debtorIban: string;
    readonly isBulk: boolean;
    readonly payees: readonly NamedPayee[];
  },
  {
    /** True if the company that pays has opted out of the verification in bulk payments. */
    readonly isOptedOut: boolean;
    /** In the order of the request; empty if opted out. */
    readonly payees: readonly PaymentPayee[];
  }
>('svc.accounts.payees.verify', 'not-idempotent', payeeWaitMs.bulk + 1000);

type SchemeVerdict = 'MTCH' | 'CMTC' | 'NMTC' | 'NOAP';
/** The answer in the form of the verification-of-payee scheme. */
export type PayeeAnswer =
  | {
      readonly partyNameMatch: SchemeVerdict;
      /** With CMTC: the holder's name in Latin letters. */
      readonly matchedName?: string;
    }
  | { readonly partyIdMatch: Exclude<SchemeVerdict, 'CMTC'> };
/**
 * Answers another bank's question about an account here. `body` is in the form of the scheme and not validated yet.
 * Fails with payeeQuestionsExceeded if the asking bank has asked too often.
 */
export const answerPayee = call<{ readonly body: unknown }, PayeeAnswer>(
  'svc.accounts.payees.answer',
  'not-idempotent',
  payeeWaitMs.single + 500,
);

/** What the SCA pages need to know about the payees of a payment or basket. */
export interface PayeesShown {
  /** True while payees have to be verified before the review page is shown. */
  readonly awaitsPayees?: boolean;
  readonly payeesVerified?: PayeesVerified;
}
/** What GET says about the payee of a payment, an order or an entry; absent until the PSU was shown it. */
export interface PayeeChecked {
  readonly payeeVerification?: PayeeVerificationResult;
}
/** What the list of a PSU's payments says about their payees. */
export interface PayeesListed {
  readonly payeeCounts?: PayeeCounts;
}
/** The PSU to whom the results will be shown, and the texts in which they are. */
export interface PayeesAsked {
  readonly psuId: string;
  readonly language: string;
  readonly textsVersion: string;
}
/**
 * Verifies the payees of a payment, unless they have been verified, and records the result. Fails with
 * statusForbidsAuthorisation if no PSU has signed in for the authorisation, or if the payment no longer awaits a
 * signature.
 */
export const verifyPaymentPayees = call<
  PayeesAsked & { readonly paymentId: string; readonly authorisationId: string },
  Record<string, never>
>('svc.payments.authorisation.verify-payees', 'not-idempotent', payeeWaitMs.bulk + 2000);
/** As {@link verifyPaymentPayees}, for each payment of a basket. */
export const verifyBasketPayees = call<
  PayeesAsked & { readonly basketId: string; readonly authorisationId: string },
  Record<string, never>
>('svc.payments.basket-authorisation.verify-payees', 'not-idempotent', payeeWaitMs.bulk + 2000);
