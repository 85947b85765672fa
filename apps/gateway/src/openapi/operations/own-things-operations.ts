import type { EndpointId } from '../../endpoint-rules.js';
import * as examples from '../examples.js';
import { bodyFailures, idempotencyFailures, type Operation } from './operation.js';

const registration = {
  clientId: 'tpp-4f1c0a9b',
  name: 'My app',
  roles: ['PSP_AI', 'PSP_PI'],
  redirectUris: ['http://localhost:3000/callback'],
  tokenEndpointAuthMethod: 'client_secret_basic',
  status: 'active',
};

/** What a TPP reads and changes of its own in the sandbox (contract 13). */
export const ownThingsOperations: Pick<
  Record<EndpointId, Operation>,
  | 'readOwnTpp'
  | 'addRedirectUri'
  | 'renewSecret'
  | 'listOwnPsus'
  | 'listOwnPayments'
  | 'readOwnTimeline'
  | 'listOwnConsents'
  | 'readOwnConsentTimeline'
  | 'forgeNotification'
  | 'visit'
> = {
  readOwnTpp: {
    tag: 'Sandbox',
    summary: 'Read your registration',
    answer: 'OwnTpp',
    example: registration,
    failures: ['resourceUnknown'],
  },
  addRedirectUri: {
    tag: 'Sandbox',
    summary: 'Add a redirect URI',
    description:
      'At most 20 for a TPP. One that you already have changes nothing. A TPP with a client secret sends it; any other calls with a token that is bound to its key or certificate. Not for the TPPs that all users of the sandbox share.',
    request: {
      schema: 'NewRedirectUri',
      example: { redirectUri: 'https://app.example/callback', clientSecret: 'your-present-secret' },
    },
    answer: 'OwnTpp',
    example: {
      ...registration,
      redirectUris: [...registration.redirectUris, 'https://app.example/callback'],
    },
    failures: ['registrationShared', 'resourceUnknown', ...bodyFailures],
  },
  renewSecret: {
    tag: 'Sandbox',
    summary: 'Get a new client secret',
    description:
      'The old secret ends at once; tokens stay valid. If the response is lost, repeat the request with the same Idempotency-Key and the same access token: the response has the same secret. Not for the TPPs that all users of the sandbox share.',
    request: { schema: 'PresentSecret', example: { clientSecret: 'your-present-secret' } },
    answer: 'NewSecret',
    example: { clientSecret: 'shown-this-once' },
    failures: [
      'registrationShared',
      'resourceUnknown',
      'registrationWithoutSecret',
      ...bodyFailures,
      ...idempotencyFailures,
    ],
  },
  listOwnPsus: {
    tag: 'Sandbox',
    summary: 'List your people',
    description:
      'The people that you created with POST /sandbox/psus, newest first, in pages, without their passwords. A person who signs for a company has the accounts of the company.',
    query: ['pageSize', 'itemsPerPage', 'cursor'],
    answer: 'PsuList',
    example: {
      psus: [
        {
          psuId: examples.newPsuId,
          name: 'Петър Иванов',
          accounts: [
            { iban: examples.newAccountIban, currency: 'BGN', status: 'enabled', balance: '100.00' },
          ],
        },
      ],
      _links: {},
    },
    failures: ['pathUnknown', 'fieldMalformed', 'parameterNotSupported'],
  },
  listOwnPayments: {
    tag: 'Sandbox',
    summary: 'List your payments',
    description:
      'Your payments, periodic orders and bulk payments, newest first, in pages; without those that you cleared. amount is that of each payment of an order, and the sum of a bulk payment. dueAt is in the answer while the bank has still to execute the payment, or an occurrence or entry.',
    query: ['pageSize', 'itemsPerPage', 'cursor'],
    answer: 'OwnPaymentList',
    example: {
      payments: [
        {
          paymentId: examples.paymentId,
          paymentService: 'payments',
          paymentProduct: 'domestic-credit-transfer-BGN',
          transactionStatus: 'ACSC',
          amount: { currency: 'BGN', amount: '12.50' },
          createdAt: '2026-11-20T09:30:00.000Z',
          _links: {
            self: { href: `/v1/payments/domestic-credit-transfer-BGN/${examples.paymentId}` },
          },
        },
      ],
      _links: {},
    },
    failures: ['fieldMalformed', 'parameterNotSupported'],
  },
  readOwnTimeline: {
    tag: 'Sandbox',
    summary: 'Read the history of a payment',
    description:
      'The events of a payment, a periodic order or a bulk payment of yours, oldest first, with the status after each. Of more than 500 events, the oldest are left out. The types may grow.',
    answer: 'PaymentTimeline',
    example: {
      events: [
        { time: '2026-11-20T09:30:00.000Z', type: 'initiated', status: 'RCVD' },
        {
          time: '2026-11-20T09:31:00.000Z',
          type: 'accepted',
          status: 'ACCP',
          authorisationId: examples.authorisationId,
        },
        {
          time: '2026-11-20T09:32:00.000Z',
          type: 'signed',
          status: 'ACCP',
          authorisationId: examples.authorisationId,
          executionDate: '2026-11-20',
          dueAt: '2026-11-20T09:33:00.000Z',
        },
        { time: '2026-11-20T09:33:00.000Z', type: 'settlement-started', status: 'ACSP' },
        { time: '2026-11-20T09:33:00.000Z', type: 'settled', status: 'ACSC' },
      ],
      leftOut: 0,
      _links: {
        self: { href: `/v1/payments/domestic-credit-transfer-BGN/${examples.paymentId}` },
      },
    },
    failures: ['resourceUnknown'],
  },
  listOwnConsents: {
    tag: 'Sandbox',
    summary: 'List your consents in the sandbox',
    description:
      'The consents that you requested, newest first, in pages. accounts is the number of accounts that you named or the PSU chose. Works with any role; GET /v1/consents has more, and needs the role PSP_AI.',
    query: ['pageSize', 'itemsPerPage', 'cursor'],
    answer: 'OwnConsentList',
    example: {
      consents: [
        {
          consentId: examples.consentId,
          consentStatus: 'valid',
          validUntil: '2026-12-31',
          recurringIndicator: true,
          accounts: 2,
          _links: { self: { href: `/v1/consents/${examples.consentId}` } },
        },
      ],
      _links: {},
    },
    failures: ['fieldMalformed', 'parameterNotSupported'],
  },
  readOwnConsentTimeline: {
    tag: 'Sandbox',
    summary: 'Read the history of a consent',
    description:
      'The events of a consent of yours, oldest first, with the status after each, and the reason if it was rejected or has expired. Of more than 500 events, the oldest are left out. The types and reasons may grow.',
    answer: 'ConsentTimeline',
    example: {
      events: [
        { time: '2026-11-20T09:30:00.000Z', type: 'created', status: 'received' },
        {
          time: '2026-11-20T09:31:00.000Z',
          type: 'rejected',
          status: 'rejected',
          authorisationId: examples.authorisationId,
          reason: 'not-the-account-owner',
        },
      ],
      leftOut: 0,
      _links: { self: { href: `/v1/consents/${examples.consentId}` } },
    },
    failures: ['resourceUnknown'],
  },
  forgeNotification: {
    tag: 'Sandbox',
    summary: 'Send a forged notification',
    description:
      'Sends a notification of yours once, now, with another status under a signature of the true body, and a new X-Request-ID: a receiver that verifies signatures refuses it. The attempt is listed with forged; state and times of the notification do not change.',
    failures: ['resourceUnknown'],
  },
  visit: {
    tag: 'Sandbox',
    summary: 'Open an address of your application',
    description:
      'Opens the address once, as the browser of a PSU does after SCA: a GET without cookies, whose redirect is not followed. It must have the origin of one of your redirect URIs. At most 30 in a minute.',
    request: {
      schema: 'NewVisit',
      example: { uri: `${examples.sandboxRedirectUri}?error=access_denied&state=wrong` },
    },
    answer: 'Visit',
    example: { status: 302, location: '/sign-in' },
    failures: [...bodyFailures, 'visitsExceeded'],
  },
};
