import type { FailureName } from '@xs2a/domain/failure/failures';

/** Where a rule is written: a row of a table, an item of a list, or sentences of a paragraph. */
export interface RuleReference {
  /** `contract 3` for a chapter of docs/contract, `spec 1.4` for a section of docs/rules, `spec 8` for one of its pages. */
  readonly rule: string;
  /** The heading; absent if `rule` names the section. */
  readonly section?: string;
  /** The first words of the row, the item or the sentence. */
  readonly at: string;
  /** The number of sentences of a paragraph or item; one row of a table is always taken as a whole. Default: 1. */
  readonly sentences?: number;
}

/**
 * What helps after a refusal that is not about the form of the request. `token`: obtain a token; `renew`: renew it; `repeat`:
 * send the same request again. Other texts are calls or sentences.
 */
export type Step = 'token' | 'renew' | 'repeat' | 'products' | (string & {});

export interface RuleOfFailure extends RuleReference {
  /** Absent if a corrected request helps. */
  readonly steps?: readonly Step[];
}

const situation = (at: string): RuleReference => ({ rule: 'contract 3', section: 'Errors by situation', at });
const form = situation('a header or field is missing or malformed');
const method = situation('a payment id under another payment service');
const noToken = situation('no token, or one that this bank did not issue');
const wrongToken = situation('revoked token; a token of the wrong kind');
const certificate = situation('the client certificate is missing');
const wrongState = situation('authorising what is final or expired');
const wrongSandboxState = situation('in the sandbox, settling, expiring');
const basketItems = (at: string): RuleReference => ({ rule: 'contract 10', section: 'Signing baskets', at });
const repeatedRequest = (at: string): RuleReference => ({
  rule: 'contract 2',
  section: 'A repeated request is safe',
  at,
});
const plannedFault: RuleOfFailure = {
  rule: 'contract 13',
  section: 'Planned faults',
  at: 'POST /faults lets a TPP test',
  steps: ['Repeat the request after Retry-After, with the same Idempotency-Key'],
};

const newConsent = 'POST /v1/consents, then send the PSU to scaRedirect';
const readNotifications = 'GET /sandbox/notifications shows the state of each notification';
const readStatus = 'GET its …/status shows what is still possible';
const newResource = 'A new POST, if it is still wanted';

/** The rule that each failure violates, and what helps. The advice to the TPP is in `failures.ts`. */
export const ruleOf: Readonly<Record<FailureName, RuleOfFailure>> = {
  pathUnknown: { ...situation('unknown path'), steps: ['GET /openapi.json lists the paths'] },
  productUnknown: {
    rule: 'contract 1',
    section: 'Payment services and products',
    at: 'payment product',
    steps: ['products'],
  },
  methodNotAllowed: { ...method, steps: ['Repeat the request with a method of the Allow header'] },
  serviceWrong: {
    ...method,
    steps: ['Repeat the request under the path of the Location header of the POST'],
  },
  acceptExcludesJson: situation('an Accept that excludes JSON'),
  contentTypeNotJson: situation('a Content-Type that is not JSON'),
  bodyTooLarge: situation('a body over 64 KiB'),
  bodyNotJson: form,
  bodyTooComplex: situation('a body with an object of more than 64 members'),
  headerMalformed: form,
  timestampInvalid: {
    rule: 'contract 15',
    section: 'Answering other banks',
    at: 'X-Request-Timestamp that is',
    steps: ['Repeat the request with the current time'],
  },
  fieldMissing: form,
  fieldMalformed: form,
  fieldUnknown: form,
  fieldNotApplicable: form,
  versionNotPublished: {
    rule: 'contract 1',
    section: 'API versions',
    at: 'A version that is not published',
  },
  parameterNotSupported: situation('a query parameter or API version that is not offered'),
  periodInvalid: situation('dateFrom after dateTo'),
  tokenMissing: { ...noToken, steps: ['token', 'repeat'] },
  tokenUnknown: { ...noToken, steps: ['token', 'repeat'] },
  tokenExpired: {
    rule: 'spec 5.4',
    at: 'An expired access token is renewed',
    sentences: 2,
    steps: ['renew', 'repeat'],
  },
  tokenRevoked: { ...wrongToken, steps: ['token', 'repeat'] },
  tokenOfWrongKind: { ...wrongToken, steps: ['token', 'repeat'] },
  tokenNotFresh: {
    rule: 'contract 6',
    section: 'Query of transactions',
    at: 'dateFrom',
    steps: ['token', 'repeat'],
  },
  proofInvalid: {
    ...situation('a DPoP proof is missing'),
    steps: ['Repeat the request with a new DPoP proof: its own htm, htu, iat, jti, and the ath of the token'],
  },
  tokenOfOtherCertificate: {
    rule: 'contract 4',
    section: 'Certificate-bound tokens',
    at: 'A call with another certificate',
    steps: ['Repeat the request over TLS with the certificate with which the token was obtained'],
  },
  roleMissing: {
    ...situation('the TPP lacks the PSD2 role'),
    steps: ['No request helps before the registration has the role.'],
  },
  tppBlocked: {
    ...situation('the TPP is blocked'),
    steps: ['No request helps before the bank has unblocked the TPP.'],
  },
  certificateMissing: { ...certificate, steps: ['Repeat the request over TLS with the QWAC'] },
  certificateInvalid: {
    ...certificate,
    steps: ['Repeat the request over TLS with a QWAC of the registered TPP'],
  },
  certificateExpired: { ...certificate, steps: ['Repeat the request over TLS with a valid QWAC'] },
  corporateIdUnknown: {
    ...situation('unknown corporate id'),
    steps: ['Repeat the request with the PSU-Corporate-ID that the PSU names'],
  },
  consentUnknown: {
    ...situation('the consent id in the path is unknown'),
    steps: ['GET /v1/consents lists the consents of the TPP', 'repeat'],
  },
  consentHeaderDiffers: {
    rule: 'contract 2',
    section: 'Sent by the TPP',
    at: 'Consent-ID',
    steps: ['Repeat the request without Consent-ID'],
  },
  consentInvalid: {
    ...situation('a data call on a consent that is received'),
    steps: [newConsent, 'Repeat the request with the token of the new consent'],
  },
  accessNotGranted: {
    ...situation('a data call on a consent that is received'),
    steps: [
      'GET /v1/consents/{consentId} lists what the consent includes',
      newConsent,
      'Repeat the request with the token of the new consent',
    ],
  },
  consentExpired: {
    ...situation('a data call on an expired consent'),
    steps: [newConsent, 'Repeat the request with the token of the new consent'],
  },
  accessExceeded: {
    rule: 'spec 8',
    section: 'Rules of PSU-IP-Address',
    at: 'Requests are counted by endpoint and account',
    sentences: 2,
    steps: ['Repeat the request after Retry-After, or with PSU-IP-Address if the PSU asked for it'],
  },
  oneOffCallRepeated: {
    rule: 'contract 5',
    section: 'Life',
    at: 'A one-off consent allows one answered call',
    steps: [newConsent, 'Repeat the request with the token of the new consent'],
  },
  shareExceeded: {
    rule: 'contract 3',
    section: 'Shares',
    at: 'Each gateway limits',
    sentences: 2,
    steps: ['Repeat the request after Retry-After, over fewer connections'],
  },
  plannedTooManyRequests: plannedFault,
  plannedUnavailable: plannedFault,
  payeeQuestionsExceeded: {
    rule: 'contract 15',
    section: 'Answering other banks',
    at: 'A bank may ask 600 questions',
    steps: ['Repeat the request after Retry-After'],
  },
  visitsExceeded: {
    rule: 'contract 13',
    section: 'Visits',
    at: 'A TPP has 30 visits',
    steps: ['Repeat the request after Retry-After'],
  },
  registrationsExceeded: {
    rule: 'contract 13',
    section: 'Your registration',
    at: 'From one address, sixty TPPs',
    steps: ['Use a TPP that is registered already, or repeat the request after Retry-After'],
  },
  resourceUnknown: {
    ...situation('an account id that is unknown'),
    steps: [
      'Repeat the request with an id that this TPP received from the bank, in the answer to its POST or in a list. For a funds confirmation, send an IBAN of the PSU who gave the consent to funds confirmations',
    ],
  },
  productWrong: situation('the details do not make this type of payment'),
  serviceNotOffered: {
    rule: 'contract 9',
    section: 'Offered in the sandbox only',
    at: 'Recurring payments, bulk payments',
    sentences: 2,
    steps: ['POST /v1/payments/{payment-product} for each payment'],
  },
  clockFixed: {
    rule: 'contract 13',
    section: 'Endpoints',
    at: 'With the setting SANDBOX_CLOCK=fixed',
    steps: ['POST /sandbox/payments/{paymentId}/settle, or …/expire'],
  },
  registrationShared: {
    rule: 'contract 13',
    section: 'Your registration',
    at: 'The TPPs of the fixtures belong to',
    steps: ['POST /sandbox/tpps, then a token of the new TPP'],
  },
  executionDateInvalid: { rule: 'spec 1.4', at: 'A payment is executed at once', sentences: 2 },
  currencyNotSupported: { rule: 'spec 1.6', at: 'Production:', sentences: 2 },
  sameAccount: { rule: 'spec 1.5', at: 'Debtor and creditor are different accounts' },
  debtorAccountUnusable: { rule: 'spec 1.1', at: 'The debtor is a client' },
  itemUnknown: {
    ...basketItems("are the caller's own"),
    steps: ['Repeat the request with ids that the answers to your POSTs have'],
  },
  itemNotGroupable: {
    ...basketItems('are single payments, bulk payments or consents'),
    steps: ['Repeat the request without the order, which its PSU signs separately'],
  },
  itemsOfSeveralOwners: {
    ...basketItems('have one owner'),
    steps: ['POST /v1/signing-baskets for the items of each PSU or company'],
  },
  itemStatusWrong: {
    ...basketItems('are RCVD, or received'),
    steps: [newResource, 'Repeat the request with its id'],
  },
  itemGroupedTooOften: {
    ...basketItems('were in fewer than ten baskets'),
    steps: [newResource, 'Repeat the request with its id'],
  },
  resourceBlocked: {
    ...basketItems('While the basket is not decided'),
    steps: ['DELETE /v1/signing-baskets/{basketId}', 'repeat'],
  },
  cancellationNotPossible: {
    rule: 'spec 3.3',
    at: 'A payment can be cancelled in RCVD',
    sentences: 5,
    steps: [readStatus],
  },
  statusForbidsAuthorisation: { ...wrongState, steps: [readStatus, newResource] },
  statusForbidsSettlement: {
    rule: 'contract 13',
    section: 'Settle and expire',
    at: 'settle is possible from',
    steps: [readStatus],
  },
  registrationWithoutSecret: {
    rule: 'contract 13',
    section: 'Your registration',
    at: 'A TPP that authenticates without a secret',
    steps: ['POST /sandbox/tpps with the tokenEndpointAuthMethod that is wanted'],
  },
  statusForbidsExpiry: { ...wrongSandboxState, steps: [readStatus] },
  statusForbidsReplay: { ...wrongSandboxState, steps: [readNotifications] },
  statusForbidsDeadLetter: { ...wrongSandboxState, steps: [readNotifications] },
  idempotencyKeyReused: {
    ...repeatedRequest('the same key and another body'),
    steps: ['Repeat the request with a new Idempotency-Key, or the first body with the old one'],
  },
  firstAttemptUnderWay: {
    ...repeatedRequest('one while the first is under way'),
    steps: ['Repeat the request after Retry-After, with the same key and body'],
  },
  dependencyDown: {
    ...situation('a dependency is down'),
    steps: ['Repeat the request after Retry-After, with the same Idempotency-Key'],
  },
  internal: {
    rule: 'contract 3',
    section: 'Form',
    at: 'Nothing that a client sends',
    steps: ['No other request helps: the error is in the service.'],
  },
};
