import { acceptPayment, initiatePayment, signPayment } from '@xs2a/contracts/payments.contract';
import type { ServiceCalls } from '@xs2a/sandbox/service-calls';
import { createHash, randomUUID } from 'node:crypto';
import { inParallel } from './direct-calls.js';

const product = 'domestic-credit-transfer-BGN';
const atOnce = 64;

/** A PSU who pays, and the account. */
export interface Payer {
  readonly psuId: string;
  readonly iban: string;
}

export const paymentBody = (iban: string, executionDate?: string): Record<string, unknown> => ({
  endToEndIdentification: 'INV-2026-000123',
  debtorAccount: { iban },
  instructedAmount: { currency: 'BGN', amount: '12.50' },
  creditorAccount: { iban: 'BG18RZBB91550123456789' },
  creditorName: 'Мария Петрова',
  remittanceInformationUnstructured: 'Фактура 123',
  serviceLevel: 'NURG',
  ...(executionDate === undefined ? {} : { requestedExecutionDate: executionDate }),
});

/** The service's own steps, one after the other, each over NATS: initiated, accepted, signed. Answers the payment's id. */
export const signOne = async (
  requester: ServiceCalls,
  { psuId, iban }: Payer,
  executionDate?: string,
): Promise<string> => {
  const body = paymentBody(iban, executionDate);
  const { paymentId, authorisationId } = await requester.call(initiatePayment, {
    tppId: 'sandbox-tpp',
    service: 'payments',
    product,
    body,
    attempt: {
      key: randomUUID(),
      path: `POST /payments/${product}`,
      hash: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
    },
    redirectUris: {},
  });
  await requester.call(acceptPayment, { paymentId, authorisationId, psuId });
  await requester.call(signPayment, { paymentId, authorisationId, psuId });
  return paymentId;
};

/** So many payments in turn over the payers, all signed, none due before `executionDate`. */
export const signMany = async (
  requester: ServiceCalls,
  payers: readonly Payer[],
  { payments, executionDate }: { readonly payments: number; readonly executionDate: string },
): Promise<void> => {
  const turns = Array.from({ length: payments }, (_none, index) => payers[index % payers.length]);
  await inParallel(turns, atOnce, async (payer) => {
    if (payer === undefined) throw new Error('nobody pays');
    return signOne(requester, payer, executionDate);
  });
};
