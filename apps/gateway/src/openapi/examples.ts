import type { PaymentStandard } from '@xs2a/domain/payment/standards/payment-standard';
import type { PaymentService } from '@xs2a/domain/payment/payment-services';

/**
 * The day on which the examples of the document are based: sandbox data, and responses of the gateway. The
 * document moves their dates relative to the day on which it is read (example-dates.ts).
 */
export const exampleDay = '2026-11-20';
export const debtorIban = 'BG25XSBK92001000000001';
/**
 * The account of the PSU that is created in an example. The example that changes the status of an account uses it,
 * so that it does not affect the fixtures.
 */
export const newAccountIban = 'BG57XSBK92001000009901';
export const newPsuId = 'psu-7b2f';
/** A redirect URI of the first client of the sandbox. */
export const sandboxRedirectUri = 'http://localhost:8090/callback';
const creditorIban = 'BG46XSBK92001000000011';
export const paymentId = '01998f6f-2c7b-7b9d-8d4a-1f0e5b6c7d8e';
export const consentId = '01998f70-91d4-7c02-9a6b-3c5d7e8f9a0b';
const accountId = '5b3fbc5e-0e0b-4c55-9d0e-2b7f6a1c9d10';
export const authorisationId = '01998f6f-2c7b-7c11-b2d3-4e5f6a7b8c9d';
const entryId = '01998f6f2c7b4b9d8d4a1f0e5b6c7d8e';

/** An example response that contains addresses of the bank's pages. */
export type ExampleAt = (pagesUrl: string) => object;

const link = (href: string): { readonly href: string } => ({ href });

export const paymentBody = {
  endToEndIdentification: 'INVOICE-2026-118',
  debtorAccount: { iban: debtorIban },
  instructedAmount: { currency: 'BGN', amount: '12.50' },
  creditorAccount: { iban: creditorIban },
  creditorName: 'Мария Георгиева',
  remittanceInformationUnstructured: 'Фактура 118',
  serviceLevel: 'NURG',
} as const;

/** The body of a payment in a standard. */
export const paymentBodyIn = ({ homeCurrency, exampleBodies, periodicProduct }: PaymentStandard) => ({
  ...paymentBody,
  instructedAmount: { ...paymentBody.instructedAmount, currency: homeCurrency },
  serviceLevel: exampleBodies[periodicProduct]?.['serviceLevel'],
});

const paymentPath = (service: PaymentService): string =>
  `/v1/${service}/domestic-credit-transfer-BGN/${paymentId}`;
export const paymentInitiated =
  (service: PaymentService): ExampleAt =>
  (pagesUrl) => ({
    transactionStatus: 'RCVD',
    paymentId,
    _links: {
      scaRedirect: link(`${pagesUrl}/sca/payment/${paymentId}/${authorisationId}`),
      self: link(paymentPath(service)),
      status: link(`${paymentPath(service)}/status`),
      scaStatus: link(`${paymentPath(service)}/authorisations/${authorisationId}`),
    },
  });

export const authorisationStarted =
  (service: PaymentService): ExampleAt =>
  (pagesUrl) => ({
    scaStatus: 'received',
    authorisationId,
    _links: {
      scaRedirect: link(`${pagesUrl}/sca/payment/${paymentId}/${authorisationId}`),
      scaStatus: link(`${paymentPath(service)}/authorisations/${authorisationId}`),
    },
  });

/** The fields that GET adds to the body of a payment, a periodic order or a bulk payment. */
export const settled = { transactionStatus: 'ACSC', fundsAvailable: true, paymentType: 'DOMESTIC' } as const;
export const orderUnderWay = {
  transactionStatus: 'ACSP',
  paymentType: 'DOMESTIC',
  occurrences: [
    { transactionId: entryId, executionDate: '2027-02-01', transactionStatus: 'ACTC', fundsAvailable: true },
    {
      transactionId: '01998f6f2c7b4b9d8d4a1f0e5b6c7d8f',
      executionDate: '2027-03-01',
      transactionStatus: 'ACTC',
    },
  ],
} as const;
export const settledBulk = (body: Readonly<Record<string, unknown>>): object => ({
  ...body,
  payments: [body['payments']]
    .flat()
    .map((entry) => ({ ...Object(entry), transactionStatus: 'ACSC', fundsAvailable: true })),
  ...settled,
});

const access = {
  accounts: [{ iban: debtorIban }],
  balances: [{ iban: debtorIban }],
  transactions: [{ iban: debtorIban }],
} as const;

export const consentRequest = {
  access,
  recurringIndicator: true,
  validUntil: '2027-01-31',
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
} as const;

const consentPath = `/v1/consents/${consentId}`;
export const consentCreated: ExampleAt = (pagesUrl) => ({
  consentStatus: 'received',
  consentId,
  _links: {
    scaRedirect: link(`${pagesUrl}/sca/consent/${consentId}/${authorisationId}`),
    self: link(consentPath),
    status: link(`${consentPath}/status`),
    scaStatus: link(`${consentPath}/authorisations/${authorisationId}`),
  },
});

export const consentAuthorisationStarted: ExampleAt = (pagesUrl) => ({
  scaStatus: 'received',
  authorisationId,
  _links: {
    scaRedirect: link(`${pagesUrl}/sca/consent/${consentId}/${authorisationId}`),
    scaStatus: link(`${consentPath}/authorisations/${authorisationId}`),
  },
});

export const consent = {
  access,
  recurringIndicator: true,
  validUntil: '2027-01-31',
  frequencyPerDay: 4,
  lastActionDate: '2026-11-20',
  consentStatus: 'valid',
  _links: { self: link(consentPath), status: link(`${consentPath}/status`), account: link('/v1/accounts') },
} as const;

const accountPath = `/v1/accounts/${accountId}`;
export const account = {
  resourceId: accountId,
  bic: 'XSBKBGSF',
  iban: debtorIban,
  currency: 'BGN',
  name: 'Разплащателна сметка',
  product: 'Разплащателна сметка',
  cashAccountType: 'CACC',
  status: 'enabled',
  ownerName: 'Иван Петров',
  _links: { balances: link(`${accountPath}/balances`), transactions: link(`${accountPath}/transactions`) },
} as const;

export const balances = {
  account: { iban: debtorIban, currency: 'BGN' },
  balances: [
    {
      balanceAmount: { currency: 'BGN', amount: '4987.50' },
      balanceType: 'expected',
      creditLimitIncluded: true,
      referenceDate: '2026-11-20',
    },
    {
      balanceAmount: { currency: 'BGN', amount: '5000.00' },
      balanceType: 'interimAvailable',
      creditLimitIncluded: true,
      referenceDate: '2026-11-20',
    },
  ],
} as const;

const transaction = {
  transactionId: entryId,
  endToEndId: 'INVOICE-2026-118',
  bookingDate: '2026-11-20',
  valueDate: '2026-11-20',
  transactionAmount: { currency: 'BGN', amount: '-12.50' },
  creditorName: 'Мария Георгиева',
  creditorAccount: { iban: creditorIban },
  remittanceInformationUnstructured: 'Фактура 118',
  bankTransactionCode: 'PMNT-ICDT-DMCT',
} as const;

/** The transaction booked for a bulk payment with batch booking. */
export const batchTransaction = {
  transactionId: entryId,
  batchIndicator: true,
  batchNumberOfTransactions: 2,
  bookingDate: '2026-11-20',
  valueDate: '2026-11-20',
  transactionAmount: { currency: 'BGN', amount: '-20.00' },
  remittanceInformationUnstructured: 'Масово плащане',
  bankTransactionCode: 'PMNT-ICDT-DMCT',
  entryDetails: [
    {
      transactionAmount: { currency: 'BGN', amount: '-12.50' },
      creditorName: 'Мария Георгиева',
      creditorAccount: { iban: creditorIban },
      remittanceInformationUnstructured: 'Фактура 118',
      endToEndId: 'INVOICE-2026-118',
    },
    {
      transactionAmount: { currency: 'BGN', amount: '-7.50' },
      creditorName: 'Мария Георгиева',
      creditorAccount: { iban: creditorIban },
      remittanceInformationUnstructured: 'Фактура 119',
    },
  ],
} as const;

const firstPage = `${accountPath}/transactions?bookingStatus=both&dateFrom=2026-08-22&dateTo=2026-11-20&pageSize=50`;
export const transactions = {
  account: { iban: debtorIban, currency: 'BGN' },
  transactions: {
    booked: [transaction],
    pending: [],
    _links: {
      account: link(accountPath),
      first: link(firstPage),
      next: link(`${firstPage}&cursor=b3BhcXVl`),
    },
  },
} as const;

export const ownRequests = [
  {
    time: '2026-11-20T09:30:00.000Z',
    operation: 'initiatePayment',
    status: 400,
    code: 'FORMAT_ERROR',
    path: 'instructedAmount.amount',
    requestId: '5f0ac1d2-6f6e-4b8e-9a44-6a2c6b0f1a77',
  },
] as const;

export const ownNotifications = [
  {
    notificationId: 'f0a1c5de-7d43-5b0e-8f0a-3f1c2b9d6e11',
    resourceType: 'payment',
    resourceId: '2f1f9a52-4b7e-4a0c-9a3d-7c1c5a0b8d22',
    status: 'ACSC',
    uri: 'https://tpp.example/push',
    state: 'delivered',
    createdAt: '2026-11-20T09:30:00.000Z',
    attempts: [
      { time: '2026-11-20T09:30:00.100Z', answer: 'HTTP 500' },
      { time: '2026-11-20T09:30:01.200Z', answer: 'HTTP 204' },
    ],
    body: '{"paymentId":"2f1f9a52-4b7e-4a0c-9a3d-7c1c5a0b8d22","transactionStatus":"ACSC","fundsAvailable":true}',
    signature: 'eyJhbGciOiJFUzI1NiIsImtpZCI6IjEifQ..c2lnbmF0dXJl',
  },
] as const;

export const requestDetails = [
  {
    ...ownRequests[0],
    failure: 'fieldMalformed',
    request: {
      method: 'POST',
      url: '/v1/payments/domestic-credit-transfer-BGN',
      headers: { authorization: '(hidden)', 'content-type': 'application/json' },
      body: '{"instructedAmount":{"currency":"BGN","amount":"12,50"}}',
    },
    response: {
      headers: { 'content-type': 'application/json', 'x-request-id': ownRequests[0].requestId },
      body: '{"tppMessages":[{"category":"ERROR","code":"FORMAT_ERROR","path":"instructedAmount.amount"}]}',
    },
  },
] as const;

export const fundsRequest = {
  account: { iban: debtorIban },
  instructedAmount: { currency: 'BGN', amount: '12.50' },
} as const;
