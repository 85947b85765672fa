import { initiatePayment, paymentAuthorisation } from '@xs2a/contracts/payments.contract';
import type { RequestOf } from '@xs2a/contracts/call';
import type { ServiceCalls } from '@xs2a/sandbox/services/service-calls';
import { createHash } from 'node:crypto';
import { choosePayee, type Customer } from './customers.js';

export const product = 'domestic-credit-transfer-BGN';
export const paymentsPath = `/v1/payments/${product}`;
export const bulksPath = `/v1/bulk-payments/${product}`;
/** The maximum number of entries in a bulk payment (contract 9). */
export const entriesOfBulk = 250;
/** The number of calls in flight while payments are prepared. */
export const atOnce = 64;

/** Builds the body of the payment with the given number. Every second payee has an account at this bank. */
export const paymentBody = (
  iban: string,
  {
    number = 0,
    executionDate,
    creditor = choosePayee(number, iban),
  }: { readonly number?: number; readonly executionDate?: string; readonly creditor?: string } = {},
): Record<string, unknown> => ({
  endToEndIdentification: `INV-2026-${String(number).padStart(6, '0')}`,
  debtorAccount: { iban },
  instructedAmount: { currency: 'BGN', amount: '12.50' },
  creditorAccount: { iban: creditor },
  creditorName: 'Мария Петрова',
  remittanceInformationUnstructured: `Фактура ${number}`,
  serviceLevel: 'NURG',
  ...(executionDate === undefined ? {} : { requestedExecutionDate: executionDate }),
});

/** Builds the instant payment with the given number. Every second payee has an account at this bank. */
export const instantBody = (iban: string, number: number): Record<string, unknown> => ({
  endToEndIdentification: `INV-2026-${String(number).padStart(6, '0')}`,
  debtorAccount: { iban },
  instructedAmount: { currency: 'EUR', amount: '12.50' },
  creditorAccount: { iban: choosePayee(number, iban) },
  creditorName: 'Мария Петрова',
  remittanceInformationUnstructured: `Фактура ${number}`,
});

/** Builds the bulk payment with the given number, in which every entry has a different payee. */
export const bulkBody = (iban: string, bulk: number): Record<string, unknown> =>
  makeBulk(iban, bulk, (number) => paymentBody(iban, { number }));

/** The same of instant payments. */
export const instantBulkBody = (iban: string, bulk: number): Record<string, unknown> =>
  makeBulk(iban, bulk, (number) => instantBody(iban, number));

const makeBulk = (
  iban: string,
  bulk: number,
  bodyOf: (number: number) => Record<string, unknown>,
): Record<string, unknown> => {
  const entries = Array.from({ length: entriesOfBulk }, (_none, entry) => {
    const { debtorAccount: _shared, ...own } = bodyOf(bulk * entriesOfBulk + entry);
    return own;
  });
  return { debtorAccount: { iban }, payments: entries };
};

type Initiation = RequestOf<typeof initiatePayment>;

/** Initiates a payment of the product `of` over NATS. If `key` is given, it is stored as the idempotency key. Returns the payment's ids. */
export const initiate = async (
  calls: ServiceCalls,
  body: Initiation['body'],
  {
    tppId = 'sandbox-tpp',
    service = 'payments',
    of = product,
    key,
    ...more
  }: Partial<Pick<Initiation, 'tppId' | 'service' | 'notification'>> & {
    readonly of?: Initiation['product'];
    readonly key?: string;
  } = {},
) =>
  calls.call(initiatePayment, {
    tppId,
    service,
    product: of,
    body,
    idempotencyKey: {
      ...(key === undefined ? {} : { key }),
      path: `POST /${service}/${of}`,
      hash: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
    },
    redirectUris: {},
    ...more,
  });

/**
 * Initiates a payment for the payer, who then accepts and signs it, with each step called over NATS. Returns the
 * payment's id.
 */
export const sign = async (
  calls: ServiceCalls,
  { psuId }: Customer,
  body: Initiation['body'],
  how: Parameters<typeof initiate>[2] = {},
): Promise<string> => {
  const { paymentId, authorisationId = '' } = await initiate(calls, body, how);
  await calls.call(paymentAuthorisation.identify, { paymentId, authorisationId, psuId });
  await calls.call(paymentAuthorisation.sign, { paymentId, authorisationId, psuId });
  return paymentId;
};
