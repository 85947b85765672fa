import {
  basketRejections,
  fundsNotAvailable,
  paymentRejections,
  rejected,
  textOfReason,
} from '@xs2a/domain/failure/status-messages';
import { explainedCodes } from '@xs2a/domain/payment/instant/instant-answer';
import type { RejectionReason } from '@xs2a/domain/payment/payment-events';
import type { ErrorCase } from './error-case.js';

const again = 'Initiate a new payment or basket: a rejected one never changes.';

/** Why the bank rejected a payment or basket, and what the TPP can do next, by reason. */
const rejections: Readonly<Record<RejectionReason, Pick<ErrorCase, 'cause' | 'remedy' | 'offer'>>> = {
  'psu-refused': {
    cause: 'The customer chose Refuse on the pages of the bank.',
    remedy: [`If the customer wants to pay nevertheless: ${again}`],
  },
  'psu-cancelled': {
    cause: 'The customer chose Cancel on the pages of the bank.',
    remedy: [`If the customer wants to pay nevertheless: ${again}`],
  },
  'sca-failed': {
    cause: 'The customer entered wrong passwords or codes until the bank ended the authorisation.',
    remedy: [again],
  },
  'not-the-named-psu': {
    cause: 'The customer who signed in is not the one whom `PSU-ID` named in the request.',
    remedy: ['Send the `PSU-ID` of the customer who signs, or no `PSU-ID`.', again],
  },
  'not-the-account-owner': {
    cause: 'The customer who signed in has no right to pay from `debtorAccount`.',
    remedy: ['Ask the customer for an account of their own.', again],
  },
  'debtor-account-unusable': {
    cause:
      'When the customer wanted to sign, `debtorAccount` was blocked, closed, or of a type that cannot pay.',
    remedy: ['Ask the customer for another account.', again],
  },
  'not-authorised-in-time': {
    cause: 'Nobody signed before the time for the authorisation was over.',
    remedy: ['Send the customer to `scaRedirect` at once.', again],
  },
  'lev-ended': {
    cause: 'It was in BGN, and the bank changed to the euro before all signatures were made.',
    remedy: ['Send the amount in EUR.', again],
    offer: 'euro',
  },
};

const inStatus = 'In `tppMessages` of the status.';

/**
 * Returns the error case of a rejection. Payments and baskets have some texts in common, and each text is listed once.
 */
const rejectionCase = (reason: RejectionReason): ErrorCase => {
  const { cause, ...others } = rejections[reason];
  const texts = [...new Set([paymentRejections[reason], basketRejections[reason]])];
  return { status: 200, texts, cause: `${inStatus} ${cause}`, ...others };
};

const ofInstantPayments: ErrorCase = {
  status: 200,
  texts: [...explainedCodes, 'other'].map(textOfReason),
  cause: `${inStatus} An instant payment was rejected; \`reasonCode\` is the ISO 20022 code of the reason.`,
  remedy: ['Initiate a new payment; without haste, as a SEPA credit transfer that is not instant.'],
  offer: 'instant-payments',
};

const ofFunds: ErrorCase = {
  status: 200,
  texts: [fundsNotAvailable.text],
  cause: `${inStatus} The call succeeded, and \`fundsAvailable\` is false: the account did not cover the payment when the payment was due, so the bank did not execute the payment.`,
  remedy: [
    'Tell the customer that nothing was paid.',
    'Initiate a new payment once the account has enough money.',
  ],
};

/** The codes that the status of a payment or basket can contain, each with its causes. */
export const statusCases: readonly (readonly [code: string, cases: readonly ErrorCase[]])[] = [
  [fundsNotAvailable.code, [ofFunds]],
  [rejected.code, [...(Object.keys(rejections) as RejectionReason[]).map(rejectionCase), ofInstantPayments]],
];
