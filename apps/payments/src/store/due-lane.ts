import type { PaymentOrder } from '@xs2a/domain/payment/payment-events';
import { getFirstOrder, type PaymentState } from '@xs2a/domain/payment/payment-state';
import type { ColumnHash } from '@xs2a/event-store/streams/inline-view';

/**
 * The lane in which a payment waits for settlement, from 0 to 65,535; undefined where the debtor account or the key of the hash is not
 * known. Payments from one account are in one lane, until the key is replaced; others may be in it too. The hash has a key, so that
 * the column confirms no guess of an account after its customer was forgotten.
 */
export const dueLane = (state: PaymentState, hash: ColumnHash | undefined): number | undefined => {
  const { debtorIban }: Partial<PaymentOrder> = getFirstOrder(state);
  return debtorIban === undefined ? undefined : hash?.(debtorIban).readUInt16BE();
};
