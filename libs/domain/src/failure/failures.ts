/**
 * Every way a TPP's call can fail: HTTP status, Berlin Group code, and advice to the TPP. One line per failure,
 * with a name that reads like a sentence. Source: contract part 3 and the Berlin Group code lists.
 */
export const failures = {
  // Edge checks: the format of the request
  pathUnknown: [
    404,
    'RESOURCE_UNKNOWN',
    'No resource has this path. See /openapi.json for the paths offered.',
  ],
  productUnknown: [
    404,
    'PRODUCT_UNKNOWN',
    'This payment product is not offered. See /docs for the products.',
  ],
  methodNotAllowed: [
    405,
    'SERVICE_INVALID',
    'This method is not supported here. The Allow header lists the supported methods.',
  ],
  serviceWrong: [
    405,
    'SERVICE_INVALID',
    'This payment belongs to another payment service. Use the path it was created under.',
  ],
  acceptExcludesJson: [
    406,
    'REQUESTED_FORMATS_INVALID',
    'Responses are application/json. Send an Accept header that allows it.',
  ],
  contentTypeNotJson: [415, 'FORMAT_ERROR', 'Send the body as application/json in UTF-8.'],
  bodyTooLarge: [413, 'FORMAT_ERROR', 'The body is too large. The limit is 64 KiB, for bulk payments 1 MiB.'],
  bodyNotJson: [400, 'FORMAT_ERROR', 'The body is not valid JSON. Send one JSON object in UTF-8.'],
  bodyTooComplex: [
    400,
    'FORMAT_ERROR',
    'The body has too many members, elements or values. Send less in one request.',
  ],
  headerMalformed: [400, 'FORMAT_ERROR', 'This header is missing or malformed. See /docs for its form.'],
  timestampInvalid: [
    400,
    'TIMESTAMP_INVALID',
    'Send the current time as an ISO 8601 instant, such as 2027-01-04T09:15:02.120Z.',
  ],
  fieldMissing: [400, 'FORMAT_ERROR', 'This field is mandatory. Add it.'],
  fieldMalformed: [400, 'FORMAT_ERROR', 'This field does not have the required form. See /docs for it.'],
  fieldUnknown: [400, 'FORMAT_ERROR', 'This field is not part of the request. Remove it.'],
  fieldNotApplicable: [400, 'FORMAT_ERROR', 'This field does not apply to this payment product. Remove it.'],
  versionNotPublished: [
    400,
    'PARAMETER_NOT_SUPPORTED',
    'This API version is not published. Leave the header out for the newest one.',
  ],
  parameterNotSupported: [
    400,
    'PARAMETER_NOT_SUPPORTED',
    'This query parameter is not offered. Leave it out.',
  ],
  periodInvalid: [400, 'PERIOD_INVALID', 'The period ends before it starts. Correct its dates.'],
  // Token, role and consent
  tokenMissing: [
    401,
    'TOKEN_UNKNOWN',
    'Send an access token of this bank in the Authorization header as Bearer.',
  ],
  tokenUnknown: [
    401,
    'TOKEN_UNKNOWN',
    'This access token was not issued by this bank. Obtain one at /oauth2/token.',
  ],
  tokenExpired: [401, 'TOKEN_EXPIRED', 'The access token has expired. Obtain a new one at /oauth2/token.'],
  tokenRevoked: [401, 'TOKEN_INVALID', 'The access token was revoked. Start the authorization again.'],
  tokenOfWrongKind: [
    401,
    'TOKEN_INVALID',
    'The access token does not have the grant or scope that this call needs. Obtain one with authorization_code for accounts (PSP_AI) and funds confirmations (PSP_IC), and with client_credentials for any other call (consents: PSP_AI; payments and baskets: PSP_PI).',
  ],
  tokenNotFresh: [
    401,
    'TOKEN_INVALID',
    'Transactions older than 90 days need a fresh authorization by the PSU, not a refreshed token.',
  ],
  proofInvalid: [
    401,
    'TOKEN_INVALID',
    'The access token is bound to a key. Prove that you have the key with the DPoP header (RFC 9449).',
  ],
  tokenOfOtherCertificate: [
    401,
    'TOKEN_INVALID',
    'The access token is bound to a client certificate. Call with the certificate with which you obtained it.',
  ],
  roleMissing: [
    401,
    'ROLE_INVALID',
    'Your registration does not include the PSD2 role that this call needs.',
  ],
  tppBlocked: [401, 'CERTIFICATE_BLOCKED', 'Your registration is blocked. Contact the bank.'],
  certificateMissing: [
    401,
    'CERTIFICATE_MISSING',
    'This call needs your QWAC. Send it as the client certificate of the TLS connection.',
  ],
  certificateInvalid: [
    401,
    'CERTIFICATE_INVALID',
    'This bank does not accept this client certificate. Use your QWAC.',
  ],
  certificateExpired: [401, 'CERTIFICATE_EXPIRED', 'The client certificate has expired. Use a new one.'],
  corporateIdUnknown: [
    401,
    'CORPORATE_ID_INVALID',
    'This PSU-Corporate-ID is not known. Check it with the PSU.',
  ],
  consentUnknown: [403, 'CONSENT_UNKNOWN', 'No consent with this id was given to you.'],
  consentHeaderDiffers: [
    400,
    'CONSENT_UNKNOWN',
    'Consent-ID names a different consent than the access token. Leave the header out or correct it.',
  ],
  consentInvalid: [
    401,
    'CONSENT_INVALID',
    'The consent is not authorised yet, or it has ended. If it has ended, ask the PSU for a new one.',
  ],
  accessNotGranted: [
    401,
    'CONSENT_INVALID',
    'The consent does not include this type of access. Ask the PSU for one that does.',
  ],
  consentExpired: [
    401,
    'CONSENT_EXPIRED',
    'The consent has expired, or a newer consent of the same PSU has replaced it. Use the newer consent, or ask the PSU for a new one.',
  ],
  accessExceeded: [
    429,
    'ACCESS_EXCEEDED',
    'No calls without the PSU are left. Wait for the delay in Retry-After, or send PSU-IP-Address when the PSU is present.',
  ],
  oneOffCallRepeated: [
    429,
    'ACCESS_EXCEEDED',
    'A one-off consent allows each call once per account. Ask the PSU for a recurring consent.',
  ],
  shareExceeded: [
    429,
    'ACCESS_EXCEEDED',
    'Too many of your requests are in progress at once. Send this one again after the delay in Retry-After, over fewer connections. It was not counted.',
  ],
  plannedTooManyRequests: [
    429,
    'ACCESS_EXCEEDED',
    'Your TPP planned this failure for its next calls, in the workspace or with POST /sandbox/faults. Send the call again after the delay in Retry-After, with the same Idempotency-Key if you sent one.',
  ],
  plannedUnavailable: [
    503,
    'INTERNAL_SERVER_ERROR',
    'Your TPP planned this failure for its next calls, in the workspace or with POST /sandbox/faults. Send the call again after the delay in Retry-After, with the same Idempotency-Key if you sent one.',
  ],
  payeeQuestionsExceeded: [
    429,
    'ACCESS_EXCEEDED',
    'This requestingAgent has asked 600 questions within a minute. Ask again after the delay in Retry-After.',
  ],
  visitsExceeded: [
    429,
    'ACCESS_EXCEEDED',
    'Your application has been visited 30 times within a minute. Call again after the delay in Retry-After.',
  ],
  registrationsExceeded: [
    429,
    'ACCESS_EXCEEDED',
    'Too many TPPs were registered from your address. Use one of them, or register after the delay in Retry-After.',
  ],
  // Resources and their states
  resourceUnknown: [404, 'RESOURCE_UNKNOWN', 'No resource with this id is available to you.'],
  productWrong: [
    403,
    'PRODUCT_INVALID',
    'These details do not match this type of payment. Use the product that matches them.',
  ],
  serviceNotOffered: [
    403,
    'PRODUCT_INVALID',
    'This bank does not offer this payment service. Send single payments under /payments.',
  ],
  clockFixed: [
    403,
    'SERVICE_BLOCKED',
    'The clock of this sandbox cannot be moved. Use the settle and expire calls under /sandbox.',
  ],
  registrationShared: [
    403,
    'SERVICE_BLOCKED',
    'All users of this sandbox share this TPP, so its registration cannot be changed. Register your own with POST /sandbox/tpps.',
  ],
  executionDateInvalid: [
    400,
    'EXECUTION_DATE_INVALID',
    'The execution date is not possible. Send today or a later banking day.',
  ],
  currencyNotSupported: [400, 'PAYMENT_FAILED', 'Payments in this currency are not supported.'],
  sameAccount: [
    400,
    'PAYMENT_FAILED',
    'Debtor and creditor account are the same. Send two different accounts.',
  ],
  debtorAccountUnusable: [
    400,
    'PAYMENT_FAILED',
    'No payment can be made from this debtor account. Use another open current account with internet banking.',
  ],
  itemUnknown: [
    400,
    'RESOURCE_UNKNOWN',
    'No payment or consent of yours has this id. Use the id in the response to your POST.',
  ],
  itemNotGroupable: [
    400,
    'REFERENCE_MIX_INVALID',
    'A basket accepts single payments, bulk payments and consents. Have this order signed on its own.',
  ],
  itemsOfSeveralOwners: [
    400,
    'REFERENCE_MIX_INVALID',
    'These items do not have the same signers. Make a basket for each PSU or company.',
  ],
  itemStatusWrong: [
    409,
    'REFERENCE_STATUS_INVALID',
    'Only an item in RCVD or received can be put into a basket. Create a new one.',
  ],
  itemGroupedTooOften: [
    409,
    'REFERENCE_STATUS_INVALID',
    'This item has been in 10 signing baskets and cannot be put into another one. Have it signed on its own, or create a new one.',
  ],
  resourceBlocked: [
    400,
    'RESOURCE_BLOCKED',
    'This item is in a signing basket. Have the basket signed, or delete the basket first.',
  ],
  cancellationNotPossible: [
    405,
    'CANCELLATION_INVALID',
    'The payment or basket cannot be cancelled at this stage. Read its status.',
  ],
  statusForbidsAuthorisation: [
    409,
    'STATUS_INVALID',
    'This resource can no longer be authorised. Create a new one.',
  ],
  statusForbidsSettlement: [
    409,
    'STATUS_INVALID',
    'Only what is signed and not executed yet can be settled. Read its status.',
  ],
  statusForbidsExpiry: [
    409,
    'STATUS_INVALID',
    'Only an unsigned payment, an unauthorised consent or a valid consent can be expired. Read its status.',
  ],
  registrationWithoutSecret: [
    409,
    'STATUS_INVALID',
    'Your TPP authenticates without a client secret. Register another TPP to use one.',
  ],
  statusForbidsReplay: [
    409,
    'STATUS_INVALID',
    'This notification is still waiting to be sent. Only one that was delivered or is a dead letter can be sent again.',
  ],
  statusForbidsDeadLetter: [
    409,
    'STATUS_INVALID',
    'Only a notification that is waiting to be sent can be made a dead letter.',
  ],
  idempotencyKeyReused: [
    409,
    'STATUS_INVALID',
    'This key was used with a different body. Use a new key for a new request.',
  ],
  firstAttemptUnderWay: [
    409,
    'STATUS_INVALID',
    'The first request with this key is still in progress. Send it again after the delay in Retry-After.',
  ],
  // Internal
  dependencyDown: [
    503,
    'INTERNAL_SERVER_ERROR',
    'The service is temporarily unavailable. Send the request again after the delay in Retry-After, with the same Idempotency-Key if you sent one.',
  ],
  internal: [500, 'INTERNAL_SERVER_ERROR', 'The service could not answer. The bank has been notified.'],
} as const satisfies Record<string, readonly [status: number, code: string, text: string]>;

/** The name of a row in {@link failures}. */
export type FailureName = keyof typeof failures;

/** One violation found in a request: the failure, its path (`instructedAmount.amount`), and a more specific text. */
export interface Failure {
  readonly failure: FailureName;
  readonly path?: string;
  readonly text?: string;
  /** Seconds after which the call may succeed (`Retry-After`). */
  readonly retryAfter?: number;
  /**
   * For `dependencyDown`, the part that did not answer: a service, `postgres`, `nats` or `core-bank`. It is for the
   * operator's log and is never sent to a TPP.
   */
  readonly dependency?: string;
}

/** Maximum number of messages in a refusal (contract 3). */
export const maxFailuresListed = 100;

/**
 * The failures listed in a refusal: all of them or, if there are more than {@link maxFailuresListed}, the first
 * ones followed by the number omitted. Failures are consumed one by one, so that thousands of them from a
 * generator are never in memory at once.
 */
export const listFailures = (found: Iterable<Failure>): readonly Failure[] => {
  const listed: Failure[] = [];
  let count = 0;
  for (const failure of found) {
    count += 1;
    if (count <= maxFailuresListed) listed.push(failure);
  }
  const [first] = listed;
  if (first === undefined || count <= maxFailuresListed) return listed;
  const kept = maxFailuresListed - 1;
  return [
    ...listed.slice(0, kept),
    fail(
      first.failure,
      undefined,
      `${count - kept} more violations were left out. Correct those listed first.`,
    ),
  ];
};

export const fail = (failure: FailureName, path?: string, text?: string): Failure => ({
  failure,
  path,
  text,
});
