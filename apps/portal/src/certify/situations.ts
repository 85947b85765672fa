import type { PlannedOutcome } from '@xs2a/contracts/sandbox/planned-faults';
import * as consents from './consent-rules.js';
import type { Finding } from './finding.js';
import type { OwnLog } from './own-log.js';
import * as payments from './payment-rules.js';
import * as push from './push-rules.js';
import * as sending from './sending-rules.js';
import * as tokens from './token-rules.js';

/** A button that brings the situation about. */
export type Provoked =
  | { readonly plan: { readonly operation: string; readonly outcome: PlannedOutcome } }
  | { readonly visit: 'foreign-code' | 'error' | 'nok' }
  /** Sends the newest notification again, or a forgery of it. */
  | { readonly send: 'replay' | 'forge' };

/** Something that an application must survive. */
export interface Situation {
  readonly id: string;
  /** One sentence. */
  readonly title: string;
  /** What a good application does. */
  readonly good: string;
  /** What the developer does so that it occurs. */
  readonly how: string;
  /** A path of the portal. */
  readonly guide: string;
  readonly provoked?: Provoked;
  readonly find: (log: OwnLog) => Finding;
}
export interface Group {
  readonly title: string;
  readonly situations: readonly Situation[];
}

const notification = '/guides/verify-a-notification';
const life = '/guides/follow-a-payment';
const access = '/guides/read-accounts';
const token = '/guides/get-a-token';
const start = 'Make a payment in your application.';

const sendingGroup: Group = {
  title: 'Sending',
  situations: [
    {
      id: 'own-key',
      title: 'A payment is sent once only.',
      good: 'Each POST has an Idempotency-Key of its own, and a payment that was made is not made again.',
      how: start,
      guide: life,
      find: sending.ownKey,
    },
    {
      id: 'unavailable',
      title: 'The bank answers a payment with 503.',
      good: 'The same body is sent again with the same key.',
      how: `Press the button. ${start}`,
      guide: life,
      provoked: { plan: { operation: 'initiatePayment', outcome: 'unavailable' } },
      find: sending.unavailable,
    },
    {
      id: 'lost-answer',
      title: 'The connection ends before the answer to a payment.',
      good: 'The same body is sent again with the same key, which finds the payment.',
      how: `Press the button. ${start}`,
      guide: life,
      provoked: { plan: { operation: 'initiatePayment', outcome: 'lost-answer' } },
      find: sending.lostAnswer,
    },
    {
      id: 'read-unavailable',
      title: 'The bank answers a read with 503.',
      good: 'The read is sent again.',
      how: 'Press the button. Let your application read the status of a payment.',
      guide: life,
      provoked: { plan: { operation: 'readPaymentStatus', outcome: 'unavailable' } },
      find: sending.readUnavailable,
    },
    {
      id: 'too-many-requests',
      title: 'The bank answers 429 with a short Retry-After.',
      good: 'The call is sent again once Retry-After has passed, and not before.',
      how: 'Press the button. Let your application read the status of a payment.',
      guide: life,
      provoked: { plan: { operation: 'readPaymentStatus', outcome: 'too-many-requests' } },
      find: sending.waited,
    },
    {
      id: 'refused-body',
      title: 'The bank refuses a body with 400.',
      good: 'The body is corrected; the refused one is not sent again.',
      how: 'Make a payment in your application with a value that the bank refuses, and then a right one.',
      guide: '/errors/FORMAT_ERROR',
      find: sending.corrected,
    },
    {
      id: 'unknown-resource',
      title: 'A payment or consent does not exist.',
      good: 'After 404 the application does not ask again and again.',
      how: 'Let your application read a payment with a wrong id. The result is known after a minute.',
      guide: '/errors/RESOURCE_UNKNOWN',
      find: sending.unknownResource,
    },
    {
      id: 'next-page',
      title: 'A list has several pages.',
      good: 'The link to the next page is followed to the last page.',
      how: 'Let your application read all transactions of an account with more than one page.',
      guide: access,
      find: sending.nextPage,
    },
    {
      id: 'access-used-up',
      title: 'The reads without the customer are used up for today.',
      good: 'After 429 the application waits, or reads when the customer is present.',
      how: 'Let your application read an account five times without PSU-IP-Address. The result is known after a minute.',
      guide: access,
      find: sending.usedUp,
    },
    {
      id: 'request-ids',
      title: 'Each call has its own X-Request-ID.',
      good: 'Ten calls or more have different X-Request-IDs.',
      how: 'Use your application.',
      guide: '/guides/get-a-token',
      find: sending.requestIds,
    },
    {
      id: 'ip-address',
      title: 'The bank knows where the customer is.',
      good: 'A payment has PSU-IP-Address.',
      how: start,
      guide: '/reference/initiatePayment',
      find: sending.ipAddress,
    },
  ],
};

const tokenGroup: Group = {
  title: 'Tokens and redirects',
  situations: [
    {
      id: 'token-in-url',
      title: 'The access token stays out of URLs.',
      good: 'The access token is only in the header Authorization.',
      how: 'Use your application for five calls or more.',
      guide: token,
      find: tokens.tokenInUrl,
    },
    {
      id: 'token-expired',
      title: 'An access token has expired.',
      good: 'The application gets a new token and sends the call again.',
      how: 'Wait, or move the clock by an hour. Use your application again.',
      guide: token,
      find: tokens.tokenExpired,
    },
    {
      id: 'foreign-code',
      title: 'Somebody opens your redirect URI with a code that you did not ask for.',
      good: 'The application compares state and refuses.',
      how: 'Press the button.',
      guide: token,
      provoked: { visit: 'foreign-code' },
      find: tokens.stateChecked,
    },
    {
      id: 'redirect-error',
      title: 'Your redirect URI is opened with an error.',
      good: 'The application shows a page, or leads to one.',
      how: 'Press the button.',
      guide: token,
      provoked: { visit: 'error' },
      find: tokens.errorAtRedirect,
    },
  ],
};

const paymentGroup: Group = {
  title: 'Payments',
  situations: [
    {
      id: 'refused',
      title: 'The customer refuses.',
      good: 'The Nok address answers, and the application learns that the payment was rejected.',
      how: 'Make a payment with TPP-Nok-Redirect-URI in your application, and refuse it at the bank. Then press the button.',
      guide: life,
      provoked: { visit: 'nok' },
      find: payments.refused,
    },
    {
      id: 'expired',
      title: 'The customer does not come back in time.',
      good: 'The application learns that the payment was rejected.',
      how: 'Make a payment, do not sign it, and expire it on its page in Payments.',
      guide: life,
      find: payments.expired,
    },
    {
      id: 'settled',
      title: 'A payment is settled.',
      good: 'The application reads ACSC.',
      how: 'Make a payment, sign it, and settle it on its page in Payments.',
      guide: life,
      find: payments.settled,
    },
    {
      id: 'followed-to-end',
      title: 'A signed payment is not settled yet.',
      good: 'The application does not take ACCP or ACSP for the end, and reads on until the status is final.',
      how: 'Make a payment and sign it. Settle it after your application has read its status.',
      guide: life,
      find: payments.followedToEnd,
    },
    {
      id: 'paced',
      title: 'A status takes long to change.',
      good: 'It is read several times, and less than 30 times in 30 seconds.',
      how: 'Make a payment, and sign it after a minute.',
      guide: life,
      find: payments.paced,
    },
    {
      id: 'unfunded',
      title: 'The account has too little money.',
      good: 'The application reads that the funds are not available.',
      how: 'Make a payment that is larger than the balance, and sign it.',
      guide: life,
      find: payments.unfunded,
    },
    {
      id: 'partly-signed',
      title: 'A second signature is missing.',
      good: 'The application reads PATC and waits.',
      how: 'Make a payment from the account of a company with two signers, and sign it as one of them.',
      guide: life,
      find: payments.partlySigned,
    },
    {
      id: 'future-date',
      title: 'A payment is for a later day.',
      good: 'The payment has requestedExecutionDate.',
      how: 'Make a payment for tomorrow.',
      guide: life,
      find: payments.futureDate,
    },
    {
      id: 'cancelled',
      title: 'You cancel a payment.',
      good: 'DELETE is answered with 204.',
      how: 'Cancel a payment in your application before it is settled.',
      guide: life,
      find: payments.cancelled,
    },
    {
      id: 'cancelled-late',
      title: 'A payment can no longer be cancelled.',
      good: 'After the refusal the application reads the status.',
      how: 'Settle a payment on its page in Payments, and cancel it in your application.',
      guide: life,
      find: payments.cancelledLate,
    },
    {
      id: 'order',
      title: 'A payment is repeated every month.',
      good: 'The application makes a standing order.',
      how: 'Make a standing order in your application.',
      guide: '/reference/initiatePayment',
      find: payments.order,
    },
    {
      id: 'order-stopped',
      title: 'The customer stops a standing order at the bank.',
      good: 'The application reads CANC, although it did not cancel.',
      how: 'Sign a standing order. Stop it on the page Your approvals of the bank.',
      guide: life,
      find: payments.orderStopped,
    },
    {
      id: 'bulk-partly',
      title: 'Some payments of a bulk payment are rejected.',
      good: 'The application reads PART.',
      how: 'Sign a bulk payment that is larger than the balance, and settle it on its page in Payments.',
      guide: life,
      find: payments.bulkPartly,
    },
    {
      id: 'basket',
      title: 'Several payments are signed at once.',
      good: 'The application makes a signing basket and reads its status.',
      how: 'Sign two payments in one basket.',
      guide: '/reference/createBasket',
      find: payments.basket,
    },
  ],
};

const consentGroup: Group = {
  title: 'Access to accounts',
  situations: [
    {
      id: 'consent-valid',
      title: 'The customer allows access.',
      good: 'The application reads that the consent is valid.',
      how: 'Ask for access in your application, and allow it at the bank.',
      guide: access,
      find: consents.consentValid,
    },
    {
      id: 'consent-rejected',
      title: 'The customer does not allow access.',
      good: 'The application reads that the consent is rejected.',
      how: 'Ask for access in your application, and do not allow it at the bank.',
      guide: access,
      find: consents.consentRejected,
    },
    {
      id: 'consent-revoked',
      title: 'The customer withdraws access.',
      good: 'The application reads that the consent is revoked.',
      how: 'Withdraw the access on the page Your approvals of the bank.',
      guide: access,
      find: consents.consentRevoked,
    },
    {
      id: 'consent-ended',
      title: 'A consent has ended.',
      good: 'The application stops reading and asks for a new consent.',
      how: 'Expire a valid consent in Consents, and read the account in your application.',
      guide: '/errors/CONSENT_EXPIRED',
      find: consents.consentEnded,
    },
    {
      id: 'consent-terminated',
      title: 'You need a consent no longer.',
      good: 'The application ends it with DELETE.',
      how: 'End an access in your application.',
      guide: access,
      find: consents.consentTerminated,
    },
    {
      id: 'unattended',
      title: 'The customer is not there.',
      good: 'The account is read without PSU-IP-Address.',
      how: 'Let your application read an account by itself.',
      guide: access,
      find: consents.unattended,
    },
  ],
};

const pushGroup: Group = {
  title: 'Notifications',
  situations: [
    {
      id: 'push-accepted',
      title: 'The bank notifies you.',
      good: 'The first attempt is answered with 2xx.',
      how: 'Make a payment with TPP-Notification-URI, and sign it.',
      guide: notification,
      find: push.accepted,
    },
    {
      id: 'push-forged',
      title: 'Somebody else notifies you.',
      good: 'A notification whose signature is wrong is answered with 401.',
      how: 'Press the button once your application has been notified.',
      guide: notification,
      provoked: { send: 'forge' },
      find: push.forged,
    },
    {
      id: 'push-repeated',
      title: 'A notification comes twice.',
      good: 'The second one is answered with 2xx as well.',
      how: 'Press the button once a notification has been delivered.',
      guide: notification,
      provoked: { send: 'replay' },
      find: push.repeated,
    },
    {
      id: 'push-recovered',
      title: 'Your receiver was down.',
      good: 'After a failed attempt, a later one is answered with 2xx.',
      how: 'Stop your receiver, sign a payment, and start it again.',
      guide: notification,
      find: push.recovered,
    },
    {
      id: 'push-read',
      title: 'A notification says that something has changed.',
      good: 'The application reads the resource within a minute.',
      how: 'Make a payment with TPP-Notification-URI, and sign it.',
      guide: notification,
      find: push.readAfter,
    },
  ],
};

export const groups: readonly Group[] = [sendingGroup, tokenGroup, paymentGroup, consentGroup, pushGroup];
