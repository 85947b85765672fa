import { paymentServices } from '@xs2a/domain/payment/payment-services';
import {
  date,
  flag,
  links,
  listOf,
  matching,
  object,
  oneOf,
  ref,
  type Schema,
  text,
  uuid,
} from './schema-parts.js';

const instant = (description: string): Schema => ({ type: 'string', format: 'date-time', description });

/** A redirect URI as a TPP registers it. */
export const redirectUri: Schema = {
  ...matching('https, or http to a loopback host; no fragment', '^https?://[!-~]+$'),
  maxLength: 2000,
};

/** What a TPP reads and changes of its own in the sandbox (contract 13). */
export const ownThingsSchemas: Readonly<Record<string, Schema>> = {
  OwnTpp: object({
    clientId: text('Client id'),
    name: text('Name that PSUs see'),
    roles: listOf(oneOf('PSD2 role', 'PSP_AI', 'PSP_PI', 'PSP_IC')),
    redirectUris: listOf(text('Redirect URI')),
    tokenEndpointAuthMethod: text('How the client authenticates at the token endpoint'),
    'jwks?': {
      type: 'object',
      description: 'Your registered public keys (RFC 7517)',
      required: ['keys'],
      properties: { keys: listOf({ type: 'object' }) },
    },
    status: oneOf('Whether the TPP may call the API', 'active', 'blocked'),
  }),
  NewRedirectUri: object({
    redirectUri,
    'clientSecret?': text('Your present client secret, if your TPP has one'),
  }),
  PresentSecret: object({ clientSecret: text('Your present client secret') }),
  NotificationAttempt: object({
    time: instant('When the attempt ended, in real time'),
    answer: text('HTTP status of your response, such as HTTP 204, or why there was none'),
    'forged?': flag('True if you had a forgery sent, which you must refuse'),
  }),
  OwnNotification: object({
    notificationId: uuid('X-Request-ID of each attempt'),
    resourceType: oneOf('What it is about', 'payment', 'consent', 'signingBasket'),
    resourceId: uuid('Id of that payment, consent or signing basket'),
    status: text('The status in the body, such as ACCP psuIdentified'),
    uri: text('Where it is sent'),
    state: oneOf(
      'waiting: it will be sent; delivered: it was accepted; deadLetter: it was not, and is no longer sent',
      'waiting',
      'delivered',
      'deadLetter',
    ),
    createdAt: instant('When it was stored, in real time'),
    'nextAttemptAt?': instant(
      'When it is sent next, in real time; absent while the one before it of the same resource is waiting',
    ),
    attempts: listOf(ref('NotificationAttempt'), 'The latest attempts, at most 20, oldest first'),
    body: text('The body, byte for byte as it is signed'),
    'signature?': text('X-JWS-Signature of the latest attempt; absent before the first'),
  }),
  NotificationList: object({ notifications: listOf(ref('OwnNotification')), _links: ref('PageLinks') }),
  OwnPsuAccount: object({
    iban: ref('Iban'),
    currency: matching('ISO 4217 code.', '^[A-Z]{3}$'),
    status: oneOf('Status of the account', 'enabled', 'blocked', 'closed'),
    balance: matching(
      'Booked balance, without a credit limit; negative while the credit is used',
      '^-?[0-9]{1,16}(\\.[0-9]{1,3})?$',
    ),
  }),
  OwnPsu: object({
    psuId: text('The id with which the PSU signs in'),
    name: text('Name of the person'),
    'corporateId?': text('The company for which the person signs'),
    accounts: listOf(ref('OwnPsuAccount')),
  }),
  PsuList: object({
    psus: listOf(ref('OwnPsu')),
    _links: ref('PageLinks'),
  }),
  OwnPayment: object({
    paymentId: uuid('Id of the payment'),
    paymentService: oneOf('Payment service', ...paymentServices),
    paymentProduct: text('Payment product'),
    transactionStatus: ref('AnyTransactionStatus'),
    amount: ref('Amount'),
    createdAt: instant('When you created it'),
    'dueAt?': instant('When the bank executes it, or the next occurrence or entry'),
    'fundsAvailable?': flag('As in the status of the payment: false with ACCP is final'),
    _links: links('self'),
  }),
  OwnPaymentList: object({
    payments: listOf(ref('OwnPayment')),
    _links: ref('PageLinks'),
  }),
  TimelineEvent: object({
    time: instant('When it happened'),
    type: text('What happened, such as signed, settled or rejected'),
    'status?': ref('AnyTransactionStatus'),
    'authorisationId?': uuid('The authorisation that it belongs to'),
    'basketId?': uuid('The signing basket'),
    'number?': {
      type: 'integer',
      minimum: 1,
      description: 'The occurrence of an order, or the entry of a bulk payment',
    },
    'executionDate?': date('The planned day'),
    'dueAt?': instant('When the bank executes it'),
    'reason?': text('Why it was rejected'),
    'reasonCode?': text('ISO 20022 code of the rejection'),
  }),
  PaymentTimeline: object({
    events: listOf(ref('TimelineEvent')),
    leftOut: { type: 'integer', minimum: 0, description: 'The number of older events' },
    _links: links('self?'),
  }),
  OwnConsent: object({
    consentId: uuid('Id of the consent'),
    consentStatus: ref('ConsentStatus'),
    validUntil: date('The last day of the consent'),
    recurringIndicator: flag('False if the consent is for one access'),
    accounts: { type: 'integer', minimum: 0, description: 'The number of accounts' },
    _links: links('self'),
  }),
  OwnConsentList: object({
    consents: listOf(ref('OwnConsent')),
    _links: ref('PageLinks'),
  }),
  ConsentTimelineEvent: object({
    time: instant('When it happened'),
    type: text('What happened, such as authorised, rejected or expired'),
    'status?': ref('ConsentStatus'),
    'authorisationId?': uuid('The authorisation that it belongs to'),
    'basketId?': uuid('The signing basket'),
    'reason?': text(
      'Why it was rejected or has expired; not-the-account-owner: an account in access is not the PSU’s, is closed, or has another currency',
    ),
  }),
  ConsentTimeline: object({
    events: listOf(ref('ConsentTimelineEvent')),
    leftOut: { type: 'integer', minimum: 0, description: 'The number of older events' },
    _links: links('self'),
  }),
  NewVisit: object({
    uri: {
      ...matching('Its origin is that of one of your redirect URIs', '^https?://[!-~]+$'),
      maxLength: 2000,
    },
  }),
  Visit: object({
    'status?': { type: 'integer', minimum: 100, maximum: 999, description: 'HTTP status of your answer' },
    'location?': text('The Location header of your answer, at most 2000 characters of it'),
    'failure?': text('Why there was no answer, such as no answer in time; then there is no status'),
  }),
  NewSecret: object({ clientSecret: text('Shown only once') }),
};
