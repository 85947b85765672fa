import { type ReasonCode, type ReasonTexts, textOfCode } from '../payment/instant/instant-answer.js';
import type { RejectionReason } from '../payment/payment-events.js';

/** The severity and the code of a message in the status of a payment or basket. */
interface StatusCode {
  readonly category: 'ERROR' | 'WARNING';
  readonly code: string;
}

/** The error code in the status of a rejected payment or basket; the text of the message states the reason. */
export const rejected: StatusCode = { category: 'ERROR', code: 'PAYMENT_FAILED' };

/** The warning in the status of a payment that was not executed, because the account did not cover the payment. */
export const fundsNotAvailable = {
  category: 'WARNING',
  code: 'FUNDS_NOT_AVAILABLE',
  text: 'The account did not cover the payment when it was due. It will not be tried again.',
} as const satisfies StatusCode & { readonly text: string };

/** The texts that explain to the TPP why a payment was rejected, by reason. */
export const paymentRejections: Readonly<Record<RejectionReason, string>> = {
  'psu-refused': 'The PSU refused the payment.',
  'psu-cancelled': 'The PSU cancelled the authorisation.',
  'sca-failed': 'The strong customer authentication failed.',
  'not-the-named-psu': 'A PSU other than the one named in PSU-ID signed in.',
  'not-the-account-owner': 'The PSU may not pay from this debtor account.',
  'debtor-account-unusable': 'No payment can be made from this debtor account.',
  'not-authorised-in-time': 'The payment was not authorised in time.',
  'lev-ended': 'The lev ended before it was signed. Create it in EUR.',
};

/** The texts that explain to the TPP why a signing basket was rejected, by reason. */
export const basketRejections: Readonly<Record<RejectionReason, string>> = {
  'psu-refused': 'The PSU refused the basket.',
  'psu-cancelled': 'The PSU cancelled the authorisation.',
  'sca-failed': 'The strong customer authentication failed.',
  'not-the-named-psu': 'A PSU other than the one named in PSU-ID signed in.',
  'not-the-account-owner': 'The PSU may not sign for one of the accounts.',
  'debtor-account-unusable': 'No payment can be made from one of the debtor accounts.',
  'not-authorised-in-time': 'The basket was not authorised before the first of its items expired.',
  'lev-ended': 'The lev ended before it was signed. Create it in EUR.',
};

const notCharged = 'The account was not charged.';

/** The texts that explain to the TPP an ISO 20022 reason code of a rejected instant payment (euro contract, E3.2). */
const reasons: ReasonTexts = {
  AM04: 'The account did not cover the payment.',
  AM14: 'The amount is above the limit that the PSU has set for instant payments.',
  AC06: 'The debtor account is blocked or closed.',
  AC01: 'The payee’s bank does not know the account.',
  AC04: 'The payee’s account is closed.',
  AG01: 'The payee’s account at this bank cannot be credited.',
  AB05: 'The payee’s bank did not answer in time.',
  AB08: 'The payee’s bank is not available.',
  AB11: 'This bank could not send the payment in time.',
  MS03: 'The payee’s bank refused the payment without giving a reason.',
  other: 'The payee’s bank could not credit the account.',
};

/**
 * Returns the text for any ISO 20022 reason code of a rejected instant payment, also for a code without a text of its
 * own.
 */
export const textOfReason = (code: ReasonCode): string => `${textOfCode(reasons, code)} ${notCharged}`;
