/**
 * Words that developers search for, by the address of the passage that answers them. Most are names that other APIs and
 * standards use for the same thing.
 */
export const otherWords: Readonly<Record<string, string>> = {
  '/guides/follow-a-payment#what-is-safe-to-repeat':
    'idempotency, Idempotency-Key, duplicate payment, double payment, retry',
  '/guides/follow-a-payment#its-life':
    'status codes, transactionStatus, RCVD, PATC, ACCP, ACSP, ACSC, PART, RJCT, CANC',
  '/guides/follow-a-payment#when-it-is-executed': 'future dated payment, scheduled payment',
  '/guides/follow-a-payment#names-and-formats': 'timezone',
  '/guides/follow-a-payment#push-before-polling': 'polling',
  '/guides/verify-a-notification': 'webhook, callback, subscribe, unsubscribe',
  '/guides/verify-a-notification#verify-the-signature': 'X-JWS-Signature, signature verification',
  '/guides/generate-a-client': 'SDK, library',
  '/guides/test-your-tpp#a-company-with-two-signers':
    'two signatures, multilevel SCA, several signers, joint account, corporate',
  '/guides/test-your-tpp#a-standing-order-and-a-bulk': 'recurring payment, batch payment',
  '/guides/test-your-tpp#a-person-with-an-account': 'test accounts, test data',
  '/guides/test-your-tpp#begin-again': 'sandbox reset, clean up test data, start over',
  '/errors': 'error codes, error code list',
  '/reference/explorer': 'swagger, swagger UI',
  '/#people': 'sandbox users, test users, test people, one-time code',
  '/guides/test-your-tpp#let-your-own-calls-fail': 'fault injection, chaos',
  '/guides/read-accounts#is-the-psu-there': 'IP address',
  '/guides/read-accounts#end-the-consent': 'revoke consent, delete consent, withdraw consent',
  '/guides/read-accounts#transactions-page-by-page': 'pagination, paging',
  '/guides/get-a-token':
    'login, sign in, authentication, client_credentials, grant_type, access token validity, how long is access token valid',
  '/guides/get-a-token#send-tokens-in-the-header-only':
    'CORS, bearer, invalid_grant, invalid_client, invalid_request',
  '/guides/present-a-certificate': 'mTLS, QWAC, client certificate',
  '/guides/sign-in-a-test': 'SCA, strong customer authentication, two-factor, sign without browser, headless',
  '/reference/initiateBulkPayment': 'bulk',
  '/reference/initiatePayment': 'remittance, serviceLevel',
  '/reference/readBalances': 'balance type',
  '/reference/createConsent': 'validUntil, consent validity, consent lifetime',
  '/reference/codes': 'purpose codes, budget payment codes, tax, VAT',
  '/errors/ACCESS_EXCEEDED': 'rate limit, throttling, too many requests, 429',
};
