import { acceptPayment, initiatePayment, signPayment } from '@xs2a/contracts/payments.contract';
import type { ServiceCalls } from '@xs2a/sandbox/services/service-calls';
import { createHash, randomUUID } from 'node:crypto';
import { type Customer, inTurn, choosePayee } from './customers.js';
import { inParallel } from './direct-calls.js';

export const product = 'domestic-credit-transfer-BGN';
const atOnce = 64;

/** The body of the payment of this number; every second payee has an account at this bank. */
export const paymentBody = (
  iban: string,
  { number = 0, executionDate }: { readonly number?: number; readonly executionDate?: string } = {},
): Record<string, unknown> => ({
  endToEndIdentification: `INV-2026-${String(number).padStart(6, '0')}`,
  debtorAccount: { iban },
  instructedAmount: { currency: 'BGN', amount: '12.50' },
  creditorAccount: { iban: choosePayee(number, iban) },
  creditorName: 'Мария Петрова',
  remittanceInformationUnstructured: `Фактура ${number}`,
  serviceLevel: 'NURG',
  ...(executionDate === undefined ? {} : { requestedExecutionDate: executionDate }),
});

/** The service's own steps, one after the other, each over NATS: initiated, accepted, signed. Returns the payment's id. */
export const signOne = async (
  calls: ServiceCalls,
  { psuId, iban }: Customer,
  about: { readonly number?: number; readonly executionDate?: string } = {},
): Promise<string> => {
  const body = paymentBody(iban, about);
  const { paymentId, authorisationId = '' } = await calls.call(initiatePayment, {
    tppId: 'sandbox-tpp',
    service: 'payments',
    product,
    body,
    idempotencyKey: {
      key: randomUUID(),
      path: `POST /payments/${product}`,
      hash: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
    },
    redirectUris: {},
  });
  await calls.call(acceptPayment, { paymentId, authorisationId, psuId });
  await calls.call(signPayment, { paymentId, authorisationId, psuId });
  return paymentId;
};

/** This many signed payments in turn over the payers, none due before `executionDate`. */
export const signMany = async (
  calls: ServiceCalls,
  payers: readonly Customer[],
  { payments, executionDate }: { readonly payments: number; readonly executionDate: string },
): Promise<void> => {
  const numbers = Array.from({ length: payments }, (_none, number) => number);
  await inParallel(numbers, atOnce, async (number) =>
    signOne(calls, inTurn(number, payers), { number, executionDate }),
  );
};
