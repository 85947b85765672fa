import type { PaymentOrder } from '@xs2a/domain/payment/payment-events';
import { getFirstOrder, type PaymentState } from '@xs2a/domain/payment/payment-state';
import { createHash } from 'node:crypto';

/**
 * The lane in which a payment waits for settlement, from 0 to 65,535; undefined: its personal data are not known here. Payments from one
 * account are in one lane, and others may be in it too: a lane says too little of an account to find it.
 */
export const dueLane = (state: PaymentState): number | undefined => {
  const { debtorIban }: Partial<PaymentOrder> = getFirstOrder(state);
  return debtorIban === undefined
    ? undefined
    : createHash('sha256').update(debtorIban).digest().readUInt16BE();
};
