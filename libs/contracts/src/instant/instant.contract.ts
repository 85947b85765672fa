import type { InstantAnswer } from '@xs2a/domain/payment/instant/instant-answer';
import type { PaymentOrder } from '@xs2a/domain/payment/payment-events';
import { call } from '../call.js';

/** An instant order whose amount is held. */
export interface InstantOrder {
  readonly paymentId: string;
  readonly order: PaymentOrder;
  /** Real time after which the order must not be sent. @format date-time */
  readonly deadline: string;
}

/**
 * Sends an instant order to the payee's bank, or asks for its outcome again. The first outcome of a payment id never
 * changes; an order that is first heard of after its deadline is not sent, and rejected with AB11.
 */
export const sendInstant = call<InstantOrder, InstantAnswer>(
  'svc.accounts.instant.send',
  'idempotent',
  10_000,
);
