import type { PaymentOrder } from '@xs2a/domain/payment/payment-events';
import { getFirstOrder, type PaymentState } from '@xs2a/domain/payment/payment-state';
import type { ColumnHash } from '@xs2a/event-store/streams/inline-view';

/**
 * Returns the lane in which a payment waits for settlement, from 0 to 65,535. Undefined if the debtor account or
 * the hash key is unknown. Payments from the same account are in the same lane until the key is rotated; other
 * accounts may share that lane. The hash is keyed, so that the column cannot confirm a guess of an account after
 * the customer's data was erased.
 */
export const dueLane = (state: PaymentState, hash: ColumnHash | undefined): number | undefined => {
  const { debtorIban }: Partial<PaymentOrder> = getFirstOrder(state);
  return debtorIban === undefined ? undefined : hash?.(debtorIban).readUInt16BE();
};
