const amount = (at: string): string[] => [`${at}.currency`, `${at}.amount`];
const balances = (at: string): string[] => [`${at}[].balanceType`, ...amount(`${at}[].balanceAmount`)];
const account = (at: string): string[] => [`${at}.currency`, ...balances(`${at}.balances?`)];
const entry = (at: string): string[] => amount(`${at}.transactionAmount`);
const authorisation = ['scaStatus', 'authorisationId', '_links'];

/**
 * Members that the Berlin Group's file psd2-api 1.3.11 requires in a success response, by operation of the
 * published document. They are taken from the `required` list of the named schema and of the schemas to which it
 * refers. `?` marks a member that may be absent, and `[]` each element of a list.
 */
export const requiredMembers: Readonly<
  Record<string, { readonly schema: string; readonly members: readonly string[] }>
> = {
  createBasket: { schema: 'signingBasketResponse-201', members: ['transactionStatus', 'basketId', '_links'] },
  readBasket: { schema: 'signingBasketResponse-200', members: ['transactionStatus'] },
  readBasketStatus: { schema: 'signingBasketStatusResponse-200', members: ['transactionStatus'] },
  startBasketAuthorisation: { schema: 'startScaprocessResponse', members: authorisation },
  listBasketAuthorisations: { schema: 'authorisations', members: ['authorisationIds'] },
  readBasketAuthorisation: { schema: 'scaStatusResponse', members: ['scaStatus'] },
  createConsent: { schema: 'consentsResponse-201', members: ['consentStatus', 'consentId', '_links'] },
  readConsent: {
    schema: 'consentInformationResponse-200_json',
    members: [
      'access',
      'recurringIndicator',
      'validUntil',
      'frequencyPerDay',
      'lastActionDate',
      'consentStatus',
    ],
  },
  readConsentStatus: { schema: 'consentStatusResponse-200', members: ['consentStatus'] },
  startConsentAuthorisation: { schema: 'startScaprocessResponse', members: authorisation },
  listConsentAuthorisations: { schema: 'authorisations', members: ['authorisationIds'] },
  readConsentAuthorisation: { schema: 'scaStatusResponse', members: ['scaStatus'] },
  listAccounts: { schema: 'accountList', members: account('accounts[]') },
  readAccount: { schema: 'GET /v1/accounts/{account-id}', members: account('account') },
  readBalances: { schema: 'readAccountBalanceResponse-200', members: balances('balances') },
  listTransactions: {
    schema: 'transactionsResponse-200_json',
    members: [
      'transactions?._links.account',
      ...entry('transactions?.booked?[]'),
      ...entry('transactions?.pending?[]'),
      ...balances('balances?'),
    ],
  },
  readTransaction: {
    schema: 'GET /v1/accounts/{account-id}/transactions/{transactionId}',
    members: [
      ...entry('transactionsDetails'),
      ...amount('transactionsDetails.entryDetails?[].transactionAmount'),
    ],
  },
  confirmFunds: { schema: 'POST /v1/funds-confirmations', members: ['fundsAvailable'] },
  initiatePayment: {
    schema: 'paymentInitationRequestResponse-201',
    members: [
      'transactionStatus',
      'paymentId',
      '_links',
      ...amount('transactionFees?'),
      ...amount('estimatedTotalAmount?'),
    ],
  },
  readPayment: {
    schema: 'paymentInitiationWithStatusResponse',
    members: ['debtorAccount', ...amount('instructedAmount'), 'creditorAccount', 'creditorName'],
  },
  readPaymentStatus: {
    schema: 'paymentInitiationStatusResponse-200_json',
    members: ['transactionStatus', 'tppMessages?[].category', 'tppMessages?[].code'],
  },
  startPaymentAuthorisation: { schema: 'startScaprocessResponse', members: authorisation },
  listPaymentAuthorisations: { schema: 'authorisations', members: ['authorisationIds'] },
  readPaymentAuthorisation: { schema: 'scaStatusResponse', members: ['scaStatus'] },
  initiatePeriodicPayment: {
    schema: 'paymentInitationRequestResponse-201',
    members: ['transactionStatus', 'paymentId', '_links'],
  },
  readPeriodicPayment: {
    schema: 'periodicPaymentInitiationWithStatusResponse',
    members: [
      'debtorAccount',
      ...amount('instructedAmount'),
      'creditorAccount',
      'creditorName',
      'startDate',
      'frequency',
    ],
  },
  readPeriodicPaymentStatus: {
    schema: 'paymentInitiationStatusResponse-200_json',
    members: ['transactionStatus', 'tppMessages?[].category', 'tppMessages?[].code'],
  },
  initiateBulkPayment: {
    schema: 'paymentInitationRequestResponse-201',
    members: ['transactionStatus', 'paymentId', '_links'],
  },
  readBulkPayment: {
    schema: 'bulkPaymentInitiationWithStatusResponse',
    members: [
      'debtorAccount',
      ...amount('payments[].instructedAmount'),
      'payments[].creditorAccount',
      'payments[].creditorName',
    ],
  },
  readBulkPaymentStatus: {
    schema: 'paymentInitiationStatusResponse-200_json',
    members: ['transactionStatus', 'tppMessages?[].category', 'tppMessages?[].code'],
  },
  listCancellationAuthorisations: { schema: 'cancellationList', members: ['authorisationIds'] },
};

/**
 * Returns the paths of members that the file requires but that the body lacks; empty for an operation that the
 * file does not contain.
 */
export const missingMembers = (operation: string, body: unknown): string[] =>
  (requiredMembers[operation]?.members ?? []).filter((path) => !has(body, path.split('.')));

const has = (value: unknown, [step, ...rest]: readonly string[]): boolean => {
  if (step === undefined) return true;
  const [, name = '', optional, list] = /^(\w+)(\?)?(\[\])?$/.exec(step) ?? [];
  const member: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  if (member === undefined || member === null) return optional !== undefined;
  if (list === undefined) return has(member, rest);
  return Array.isArray(member) && member.every((element) => has(element, rest));
};
