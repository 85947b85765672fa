import type { EndpointId } from '../../endpoint-rules.js';
import { basketOperations } from './basket-operations.js';
import { clockOperations } from './clock-operations.js';
import * as examples from '../examples.js';
import { idempotencyFailures, bodyFailures, type Operation } from './operation.js';
import { ownThingsOperations } from './own-things-operations.js';
import type { PaymentEndpoint } from './payment-operations.js';

const ofAccount = [
  'resourceUnknown',
  'consentInvalid',
  'accessNotGranted',
  'consentExpired',
  'accessExceeded',
  'oneOffCallRepeated',
] as const;

const unattended =
  'Without PSU-IP-Address, the call counts as a call without the PSU: at most 4 a day for each endpoint and account.';

const consents: Pick<
  Record<EndpointId, Operation>,
  | 'createConsent'
  | 'listConsents'
  | 'readConsent'
  | 'readConsentStatus'
  | 'deleteConsent'
  | 'startConsentAuthorisation'
  | 'listConsentAuthorisations'
  | 'readConsentAuthorisation'
> = {
  createConsent: {
    tag: 'Consents',
    summary: 'Request a consent',
    description:
      'PSU-ID or PSU-Corporate-ID is required. Then either send the PSU to scaRedirect, or start the OAuth 2.0 authorization with this consentId, which asks the PSU for the same consent and returns a code. If several signers are required, the response contains startAuthorisation instead of scaRedirect.',
    request: { schema: 'ConsentRequest', example: examples.consentRequest },
    answer: 'ConsentCreated',
    example: examples.consentCreated,
    failures: [...bodyFailures, ...idempotencyFailures, 'corporateIdUnknown'],
  },
  listConsents: {
    tag: 'Consents',
    summary: 'List your consents',
    description: 'The consents that you requested, newest first, in pages; an addition to the standard.',
    query: ['pageSize', 'itemsPerPage', 'cursor'],
    answer: 'ConsentList',
    example: { consents: [{ consentId: examples.consentId, ...examples.consent }], _links: {} },
    failures: ['fieldMalformed', 'parameterNotSupported'],
  },
  readConsent: {
    tag: 'Consents',
    summary: 'Read a consent',
    answer: 'Consent',
    example: examples.consent,
    failures: ['consentUnknown'],
  },
  readConsentStatus: {
    tag: 'Consents',
    summary: 'Read the status of a consent',
    answer: 'ConsentStatusAnswer',
    example: { consentStatus: 'valid' },
    failures: ['consentUnknown'],
  },
  deleteConsent: {
    tag: 'Consents',
    summary: 'End a consent',
    description: 'A repeat returns 204 again.',
    failures: ['consentUnknown', 'resourceBlocked'],
  },
  startConsentAuthorisation: {
    tag: 'Consents',
    summary: 'Start the authorisation of a consent by another signer',
    description:
      'If several signers are required, call this once for each, with that signer’s PSU-ID. The consent is partiallyAuthorised until the last signer has signed, and one refusal rejects it. The OAuth 2.0 authorization starts the authorisation itself.',
    answer: 'AuthorisationStarted',
    example: examples.consentAuthorisationStarted,
    failures: [
      'consentUnknown',
      'bodyNotJson',
      'fieldUnknown',
      ...idempotencyFailures,
      'statusForbidsAuthorisation',
      'resourceBlocked',
      'corporateIdUnknown',
    ],
  },
  listConsentAuthorisations: {
    tag: 'Consents',
    summary: 'List the authorisations of a consent',
    answer: 'Authorisations',
    example: { authorisationIds: [examples.authorisationId] },
    failures: ['consentUnknown'],
  },
  readConsentAuthorisation: {
    tag: 'Consents',
    summary: 'Read the status of an authorisation of a consent',
    answer: 'ScaStatus',
    example: { scaStatus: 'finalised' },
    failures: ['consentUnknown', 'resourceUnknown'],
  },
};

const accounts: Pick<
  Record<EndpointId, Operation>,
  'listAccounts' | 'readAccount' | 'readBalances' | 'listTransactions' | 'readTransaction' | 'confirmFunds'
> = {
  listAccounts: {
    tag: 'Accounts',
    summary: 'List the accounts of a consent',
    description: unattended,
    query: ['withBalance'],
    answer: 'AccountList',
    example: { accounts: [examples.account] },
    failures: [
      'fieldMalformed',
      'consentInvalid',
      'accessNotGranted',
      'consentExpired',
      'accessExceeded',
      'oneOffCallRepeated',
    ],
  },
  readAccount: {
    tag: 'Accounts',
    summary: 'Read an account',
    description: unattended,
    query: ['withBalance'],
    answer: 'Account',
    example: { account: examples.account },
    failures: ['fieldMalformed', ...ofAccount],
  },
  readBalances: {
    tag: 'Accounts',
    summary: 'Read the balances of an account',
    description: unattended,
    answer: 'Balances',
    example: examples.balances,
    failures: ofAccount,
  },
  listTransactions: {
    tag: 'Accounts',
    summary: 'Read a page of the transactions of an account',
    description: `Newest first; follow _links.next unchanged. ${unattended}`,
    query: [
      'dateFrom',
      'dateTo',
      'bookingStatus',
      'pageSize',
      'itemsPerPage',
      'cursor',
      'withBalance',
      'entryReferenceFrom',
      'deltaList',
    ],
    answer: 'Transactions',
    example: examples.transactions,
    failures: ['fieldMalformed', 'parameterNotSupported', 'periodInvalid', 'tokenNotFresh', ...ofAccount],
  },
  readTransaction: {
    tag: 'Accounts',
    summary: 'Read one transaction',
    description: `A batch entry (batchIndicator) has its payments in entryDetails. ${unattended}`,
    answer: 'TransactionDetails',
    example: { transactionsDetails: examples.batchTransaction },
    failures: ofAccount,
  },
  confirmFunds: {
    tag: 'Funds confirmation',
    summary: 'Check whether an amount is covered',
    description:
      'The amount is compared with the expected balance. Without account, the PSU’s main account in that currency is used, or else the first open one.',
    request: { schema: 'FundsRequest', example: examples.fundsRequest },
    answer: 'FundsAnswer',
    example: { fundsAvailable: true },
    failures: [...bodyFailures, 'resourceUnknown'],
  },
};

const sandbox: Pick<
  Record<EndpointId, Operation>,
  | 'listRequests'
  | 'readRequest'
  | 'registerTpp'
  | 'changeTpp'
  | 'createPsu'
  | 'deposit'
  | 'changeAccount'
  | 'simulate'
  | 'listFaults'
  | 'planFault'
  | 'verifyPayee'
  | 'settlePayment'
  | 'expirePayment'
  | 'expireConsent'
  | 'listNotifications'
  | 'replayNotification'
  | 'deadLetterNotification'
  | 'clearPayments'
> = {
  listRequests: {
    tag: 'Sandbox',
    summary: 'List your requests',
    description:
      'Your calls of the last 24 hours of real time, newest first, in pages: what was refused, and the field or header of the first violation. A call appears at once, or within seconds if several gateways are running. With withContent=true, each call also has what GET /sandbox/requests/{requestId} returns of it.',
    query: ['pageSize', 'itemsPerPage', 'cursor', 'withContent'],
    answer: 'RequestList',
    example: { requests: examples.ownRequests, _links: {} },
    failures: ['fieldMalformed', 'parameterNotSupported'],
  },
  readRequest: {
    tag: 'Sandbox',
    summary: 'Read one of your requests',
    description:
      'Your calls of the last 24 hours with this X-Request-ID, newest first, at most five: each with the headers and bodies that you and the bank sent, if the sandbox keeps them. Secrets are (hidden), a body ends after 32 KiB, and of your calls in a minute, only the first hundred have headers and bodies.',
    answer: 'RequestDetails',
    example: { requests: examples.requestDetails },
    failures: ['resourceUnknown'],
  },
  registerTpp: {
    tag: 'Sandbox',
    summary: 'Register a TPP',
    request: {
      schema: 'NewTpp',
      example: {
        name: 'My app',
        redirectUris: ['http://localhost:3000/callback'],
        roles: ['PSP_AI', 'PSP_PI'],
      },
    },
    answer: 'TppCredentials',
    example: { clientId: 'tpp-4f1c0a9b', clientSecret: 'shown-this-once' },
    failures: ['registrationsExceeded', ...bodyFailures, ...idempotencyFailures],
  },
  changeTpp: {
    tag: 'Sandbox',
    summary: 'Block or unblock a TPP',
    description:
      'In a sandbox of your own, the token of any TPP blocks any TPP. In a sandbox that several users share, it blocks only its own TPP, and only the operator can unblock it; the TPPs of the fixtures cannot be blocked.',
    request: { schema: 'TppStatus', example: { status: 'active' } },
    answer: 'TppChanged',
    example: { clientId: 'tpp-4f1c0a9b', status: 'active' },
    failures: [...bodyFailures, 'registrationShared', 'resourceUnknown'],
  },
  createPsu: {
    tag: 'Sandbox',
    summary: 'Create a PSU with accounts',
    request: {
      schema: 'NewPsu',
      example: { name: 'Петър Иванов', accounts: [{ currency: 'BGN', opening: '100.00' }] },
    },
    answer: 'Psu',
    example: {
      psuId: examples.newPsuId,
      password: 'shown-this-once',
      accounts: [{ iban: examples.newAccountIban, currency: 'BGN' }],
    },
    failures: ['pathUnknown', ...bodyFailures, ...idempotencyFailures],
  },
  deposit: {
    tag: 'Sandbox',
    summary: 'Deposit money into an account',
    request: { schema: 'Deposit', example: { amount: '50.00', currency: 'BGN' } },
    answer: 'Deposited',
    example: { transactionId: '01998f6f2c7b4b9d8d4a1f0e5b6c7d8e' },
    failures: ['pathUnknown', ...bodyFailures, ...idempotencyFailures, 'resourceUnknown'],
  },
  changeAccount: {
    tag: 'Sandbox',
    summary: 'Block or close an account, or open it again',
    description:
      'Lets you see what happens to your consents and payments; create a PSU with its own account first. Money that is already held is still booked.',
    request: { schema: 'AccountStatus', example: { status: 'enabled' } },
    answer: 'AccountChanged',
    example: { iban: examples.newAccountIban, status: 'enabled' },
    failures: ['pathUnknown', ...bodyFailures, 'resourceUnknown'],
  },
  simulate: {
    tag: 'Sandbox',
    summary: 'Choose what happens next for one PSU',
    description:
      'Lets you test each of your code paths. Replaces any earlier choice for this PSU; other PSUs are not affected.',
    request: { schema: 'Simulation', example: { psuId: examples.newPsuId, outcome: 'insufficient-funds' } },
    answer: 'Simulation',
    example: { psuId: examples.newPsuId, outcome: 'insufficient-funds', calls: 1 },
    failures: [...bodyFailures, 'resourceUnknown'],
  },
  listFaults: {
    tag: 'Sandbox',
    summary: 'List the faults that you planned',
    answer: 'PlannedFaults',
    example: { faults: [{ operation: 'initiatePayment', outcome: 'unavailable', calls: 1 }] },
    failures: [],
  },
  planFault: {
    tag: 'Sandbox',
    summary: 'Plan that your next calls fail',
    description:
      'Lets you test what your application does when the bank does not answer as usual. Replaces your earlier plan for the operation; other TPPs are not affected. A plan is forgotten after an hour without a change.',
    // `none`, because readers may send this example with a client that all users share.
    request: { schema: 'FaultPlan', example: { operation: 'initiatePayment', outcome: 'none' } },
    answer: 'PlannedFaults',
    example: { faults: [] },
    failures: bodyFailures,
  },
  verifyPayee: {
    tag: 'Sandbox',
    summary: 'Ask for a payee as another bank does',
    description:
      'The form of the verification-of-payee scheme: compares a name, or a register number, with the holder of an account of this bank. A name is disclosed five times in 24 hours per account; then such a question is answered with NOAP.',
    request: {
      schema: 'PayeeQuestion',
      example: {
        party: { name: 'Ivan Petrof' },
        partyAccount: { iban: examples.debtorIban },
        partyAgent: { financialInstitutionId: { bicfi: 'XSBKBGSF' } },
        requestingAgent: { financialInstitutionId: { bicfi: 'DEUTDEFF' } },
      },
    },
    answer: 'PayeeAnswer',
    example: { partyNameMatch: 'CMTC', matchedName: 'Ivan Petrov' },
    failures: ['timestampInvalid', ...bodyFailures, 'payeeQuestionsExceeded'],
  },
  settlePayment: {
    tag: 'Sandbox',
    summary: 'Execute a signed payment now',
    description:
      'For a payment, a periodic order or a bulk payment of yours. Executes it before its due time: of an order the next occurrence, of a bulk every entry. It has been executed, or lacks funds, when the response arrives. Money moves once: a repeated call is 409. For a periodic order, a repeated call executes the following occurrence.',
    failures: ['resourceUnknown', 'statusForbidsSettlement'],
  },
  expirePayment: {
    tag: 'Sandbox',
    summary: 'Let an unsigned payment expire now',
    description:
      'For a payment, a periodic order or a bulk payment of yours. Its time to sign ends: RJCT. In a signing basket, the basket is rejected with all its items.',
    failures: ['resourceUnknown', 'statusForbidsExpiry'],
  },
  expireConsent: {
    tag: 'Sandbox',
    summary: 'Let a consent expire now',
    description:
      'A valid consent is expired, an unauthorised one rejected. In a signing basket, the basket is rejected with all its items.',
    failures: ['resourceUnknown', 'statusForbidsExpiry'],
  },
  listNotifications: {
    tag: 'Sandbox',
    summary: 'List your notifications',
    description:
      'Your notifications that are waiting or ended within the last 24 hours of real time, newest first, in pages of at most 100: each with its latest attempts, and with the body and the signature as sent last.',
    query: ['pageSize', 'itemsPerPage', 'cursor'],
    answer: 'NotificationList',
    example: { notifications: examples.ownNotifications, _links: {} },
    failures: ['fieldMalformed', 'parameterNotSupported'],
  },
  replayNotification: {
    tag: 'Sandbox',
    summary: 'Send a notification again',
    description:
      'For a notification of yours that was delivered or is a dead letter. It is sent with the same X-Request-ID and a new signature, and repeated as a new one.',
    failures: ['resourceUnknown', 'statusForbidsReplay'],
  },
  deadLetterNotification: {
    tag: 'Sandbox',
    summary: 'Make a notification a dead letter now',
    description:
      'For a notification of yours that is waiting, as if it had failed for 24 hours. The next one of the same resource is sent.',
    failures: ['resourceUnknown', 'statusForbidsDeadLetter'],
  },
  clearPayments: {
    tag: 'Sandbox',
    summary: 'Clear your payments',
    description:
      'Cancels what can be cancelled and removes your payments from your view. Money that has moved is not returned.',
    failures: [],
  },
};

/**
 * The descriptions of all endpoints of `endpoint-rules.ts` except those for payments. A missing description is a
 * compile error.
 */
export const operations: Readonly<Record<Exclude<EndpointId, PaymentEndpoint>, Operation>> = {
  ...basketOperations,
  ...consents,
  ...accounts,
  ...sandbox,
  ...clockOperations,
  ...ownThingsOperations,
};
