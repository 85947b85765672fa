import type { TppRole } from '@xs2a/contracts/auth.contract';
import { type PaymentService, paymentServices } from '@xs2a/domain/payment/payment-services';
import type { Profile } from '@xs2a/domain/profile/profile';

/** The kinds of access token that an endpoint may require (contract 4), with the PSD2 role and scope for each. */
export const tokenKinds = {
  none: undefined,
  payments: { grant: 'application', scope: 'PSP_PI', ofConsent: false },
  consents: { grant: 'application', scope: 'PSP_AI', ofConsent: false },
  /** Either a `consents` token or the user token of the consent in the path, even if that consent has ended. */
  ownConsent: { grant: 'application', scope: 'PSP_AI', ofConsent: false, orOfConsentInPath: true },
  accounts: { grant: 'user', scope: 'PSP_AI', ofConsent: true },
  funds: { grant: 'user', scope: 'PSP_IC', ofConsent: false },
  anyApplication: { grant: 'application', scope: undefined, ofConsent: false },
} as const satisfies Record<string, TokenRule | undefined>;

export interface TokenRule {
  readonly grant: 'application' | 'user';
  /** Absent: any. */
  readonly scope: TppRole | undefined;
  /** True if the token must name a consent. */
  readonly ofConsent: boolean;
  /**
   * Set if a user token with this scope is accepted as well; the controller compares its consent with the one in
   * the path.
   */
  readonly orOfConsentInPath?: true;
}
/**
 * True if the token may name the consent of the call. The Consent-ID header, if sent, must then name the same one
 * (contract 2).
 */
export const namesConsent = (rule: TokenRule | undefined): boolean =>
  rule?.ofConsent === true || rule?.orOfConsentInPath === true;
export type TokenKind = keyof typeof tokenKinds;
/** The requirements that the endpoint has for the access token. */
export const tokenRule = ({ token }: Pick<EndpointRule, 'token'>): TokenRule | undefined => tokenKinds[token];

/** The APIs whose versions are published (spec 9). */
export type PublishedApi = 'accounts' | 'periodic-payments' | 'periodic-domestic';

export interface EndpointRule {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path without a version prefix; `{payment-service}` represents each of {@link paymentServices}. */
  readonly path: string;
  readonly token: TokenKind;
  /** The status of a successful response. */
  readonly success: 200 | 201 | 204;
  /** The maximum size of the JSON body in bytes; if absent, the endpoint accepts no body. */
  readonly bodyLimit?: number;
  /** Set if the body may be absent, because all values are in the headers. */
  readonly bodyOptional?: true;
  /**
   * Set if the endpoint creates a resource or a secret, so that a repeated request with the same idempotency key must
   * be recognised (contract 2).
   */
  readonly creates?: true;
  /** Set if the PSU will be sent to the bank's pages, so that the redirect headers and PSU ids are read. */
  readonly redirects?: true;
  /**
   * Set if the endpoint exists only in profiles with verification of payees. Requests then need an id and a time
   * (contract 15).
   */
  readonly forPayees?: true;
  readonly api?: PublishedApi;
  /** The values that differ for a payment service. */
  readonly under?: Partial<Readonly<Record<PaymentService, Pick<EndpointRule, 'bodyLimit' | 'api'>>>>;
}

/** The size limits of contract 3: 64 KiB in general, 1 MiB for a bulk payment. */
const small = 64 * 1024;
const large = 1024 * 1024;
const body = { bodyLimit: small } as const;
const makes = { bodyLimit: small, creates: true } as const;
const starts = { bodyLimit: small, creates: true, redirects: true } as const;
const startsBodiless = { ...starts, bodyOptional: true } as const;
const accountsApi = { api: 'accounts' } as const;
/** The operations of the Periodic Payments API (spec 9). */
const periodicApi = { under: { 'periodic-payments': { api: 'periodic-payments' } } } as const;
const initiates = {
  ...starts,
  under: { 'periodic-payments': { api: 'periodic-domestic' }, 'bulk-payments': { bodyLimit: large } },
} as const;
const product = '/{payment-service}/{payment-product}';
const payment = `${product}/{paymentId}`;
const consent = '/consents/{consentId}';
const basket = '/signing-baskets/{basketId}';
const account = '/accounts/{account-id}';

type Row = readonly [
  EndpointRule['method'],
  string,
  TokenKind,
  EndpointRule['success'],
  Partial<EndpointRule>?,
];

/** The requirements of each endpoint, one row per endpoint: method, path, token, status and so on. */
const rows = {
  initiatePayment: ['POST', product, 'payments', 201, initiates],
  readPayment: ['GET', payment, 'payments', 200, periodicApi],
  readPaymentStatus: ['GET', `${payment}/status`, 'payments', 200, periodicApi],
  cancelPayment: ['DELETE', payment, 'payments', 204, periodicApi],
  startPaymentAuthorisation: ['POST', `${payment}/authorisations`, 'payments', 201, startsBodiless],
  listPaymentAuthorisations: ['GET', `${payment}/authorisations`, 'payments', 200, periodicApi],
  readPaymentAuthorisation: [
    'GET',
    `${payment}/authorisations/{authorisationId}`,
    'payments',
    200,
    periodicApi,
  ],
  listCancellationAuthorisations: ['GET', `${payment}/cancellation-authorisations`, 'payments', 200],
  createBasket: ['POST', '/signing-baskets', 'payments', 201, starts],
  readBasket: ['GET', basket, 'payments', 200],
  readBasketStatus: ['GET', `${basket}/status`, 'payments', 200],
  deleteBasket: ['DELETE', basket, 'payments', 204],
  startBasketAuthorisation: ['POST', `${basket}/authorisations`, 'payments', 201, startsBodiless],
  listBasketAuthorisations: ['GET', `${basket}/authorisations`, 'payments', 200],
  readBasketAuthorisation: ['GET', `${basket}/authorisations/{authorisationId}`, 'payments', 200],
  createConsent: ['POST', '/consents', 'consents', 201, starts],
  listConsents: ['GET', '/consents', 'consents', 200],
  readConsent: ['GET', consent, 'ownConsent', 200],
  readConsentStatus: ['GET', `${consent}/status`, 'ownConsent', 200],
  deleteConsent: ['DELETE', consent, 'ownConsent', 204],
  startConsentAuthorisation: ['POST', `${consent}/authorisations`, 'consents', 201, startsBodiless],
  listConsentAuthorisations: ['GET', `${consent}/authorisations`, 'ownConsent', 200],
  readConsentAuthorisation: ['GET', `${consent}/authorisations/{authorisationId}`, 'ownConsent', 200],
  listAccounts: ['GET', '/accounts', 'accounts', 200, accountsApi],
  readAccount: ['GET', account, 'accounts', 200, accountsApi],
  readBalances: ['GET', `${account}/balances`, 'accounts', 200, accountsApi],
  listTransactions: ['GET', `${account}/transactions`, 'accounts', 200, accountsApi],
  readTransaction: ['GET', `${account}/transactions/{transactionId}`, 'accounts', 200],
  confirmFunds: ['POST', '/funds-confirmations', 'funds', 200, body],
  listRequests: ['GET', '/sandbox/requests', 'anyApplication', 200],
  readRequest: ['GET', '/sandbox/requests/{requestId}', 'anyApplication', 200],
  readClock: ['GET', '/sandbox/clock', 'anyApplication', 200],
  advanceClock: ['POST', '/sandbox/clock', 'anyApplication', 200, body],
  listClockMoves: ['GET', '/sandbox/clock/moves', 'anyApplication', 200],
  registerTpp: ['POST', '/sandbox/tpps', 'none', 201, makes],
  changeTpp: ['PATCH', '/sandbox/tpps/{clientId}', 'anyApplication', 200, body],
  readOwnTpp: ['GET', '/sandbox/tpp', 'anyApplication', 200],
  addRedirectUri: ['POST', '/sandbox/tpp/redirect-uris', 'anyApplication', 200, body],
  renewSecret: ['POST', '/sandbox/tpp/secret', 'anyApplication', 200, makes],
  listOwnPsus: ['GET', '/sandbox/psus', 'anyApplication', 200],
  createPsu: ['POST', '/sandbox/psus', 'anyApplication', 201, makes],
  deposit: ['POST', '/sandbox/accounts/{iban}/deposit', 'anyApplication', 201, makes],
  changeAccount: ['PATCH', '/sandbox/accounts/{iban}', 'anyApplication', 200, body],
  simulate: ['POST', '/sandbox/simulate', 'anyApplication', 200, body],
  listFaults: ['GET', '/sandbox/faults', 'anyApplication', 200],
  planFault: ['POST', '/sandbox/faults', 'anyApplication', 200, body],
  verifyPayee: [
    'POST',
    '/sandbox/vop/v1/payee-verifications',
    'anyApplication',
    200,
    { ...body, forPayees: true },
  ],
  settlePayment: ['POST', '/sandbox/payments/{paymentId}/settle', 'anyApplication', 204],
  expirePayment: ['POST', '/sandbox/payments/{paymentId}/expire', 'anyApplication', 204],
  expireConsent: ['POST', '/sandbox/consents/{consentId}/expire', 'anyApplication', 204],
  listOwnPayments: ['GET', '/sandbox/payments', 'anyApplication', 200],
  readOwnTimeline: ['GET', '/sandbox/payments/{paymentId}/timeline', 'anyApplication', 200],
  listOwnConsents: ['GET', '/sandbox/consents', 'anyApplication', 200],
  readOwnConsentTimeline: ['GET', '/sandbox/consents/{consentId}/timeline', 'anyApplication', 200],
  listNotifications: ['GET', '/sandbox/notifications', 'anyApplication', 200],
  replayNotification: ['POST', '/sandbox/notifications/{notificationId}/replay', 'anyApplication', 204],
  deadLetterNotification: [
    'POST',
    '/sandbox/notifications/{notificationId}/dead-letter',
    'anyApplication',
    204,
  ],
  forgeNotification: ['POST', '/sandbox/notifications/{notificationId}/forge', 'anyApplication', 204],
  visit: ['POST', '/sandbox/visits', 'anyApplication', 200, body],
  clearPayments: ['DELETE', '/sandbox/payments', 'anyApplication', 204],
} as const satisfies Record<string, Row>;

export type EndpointId = keyof typeof rows;

export const endpointRules = Object.fromEntries(
  Object.entries<Row>(rows).map(([id, [method, path, token, success, rest]]) => [
    id,
    { method, path, token, success, ...rest } satisfies EndpointRule,
  ]),
) as Readonly<Record<EndpointId, EndpointRule>>;

export const endpointIds = Object.keys(rows) as readonly EndpointId[];

/** The rule of an endpoint, adapted to the payment service if its path contains one. */
export const ruleUnder = (id: EndpointId, service: PaymentService | undefined): EndpointRule => {
  const rule = endpointRules[id];
  const changes = service === undefined ? undefined : rule.under?.[service];
  return changes === undefined ? rule : { ...rule, ...changes };
};

/** True for endpoints that exist only while the sandbox bank is the core bank (contract 1). */
export const isSandboxEndpoint = ({ path }: EndpointRule): boolean => path.startsWith('/sandbox/');

/** True for endpoints that accept the header Idempotency-Key (contract 2). */
export const takesIdempotencyKey = ({ creates, method }: EndpointRule): boolean =>
  creates === true || method === 'DELETE';

/** What decides which endpoints exist. */
export interface Offer {
  readonly sandbox: boolean;
  readonly profile: Pick<Profile, 'payeeVerification'>;
}
/** True if the endpoint has a path here. An endpoint that the bank does not offer has one all the same. */
export const isPresent = (rule: EndpointRule, { sandbox, profile }: Offer): boolean =>
  (sandbox || !isSandboxEndpoint(rule)) && (rule.forPayees !== true || profile.payeeVerification !== 'off');

/**
 * The routes of an endpoint in the router's format, for example `/payments/:paymentProduct`, one per payment
 * service.
 */
export const listRoutes = ({ path }: EndpointRule): string[] => {
  const services = path.includes('{payment-service}') ? paymentServices : [''];
  return services.map((service) =>
    path
      .replace('{payment-service}', service)
      .replace(/\{([^}]+)\}/g, (_match, name: string) => `:${parameterName(name)}`),
  );
};

/** Converts a path parameter to the router's format: `account-id` becomes `accountId`. */
const parameterName = (name: string): string =>
  name.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** True for the endpoints of signing baskets, which a profile may leave out (spec 1.7). */
export const isBasketEndpoint = ({ path }: EndpointRule): boolean => path.startsWith('/signing-baskets');
