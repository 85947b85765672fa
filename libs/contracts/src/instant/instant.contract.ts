import type { InstantAnswer } from '@xs2a/domain/payment/instant/instant-answer';
import type { InstantProgress, InstantStep } from '@xs2a/domain/payment/instant/instant-steps';
import type { PaymentOrder } from '@xs2a/domain/payment/payment-events';
import { call } from '../call.js';
import type { TransactionRef } from '../payments.contract.js';

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

/** An instant payment, or an entry of a bulk payment of them, that has to be continued, and how. */
export interface DueInstant extends TransactionRef {
  readonly order: PaymentOrder;
  readonly progress: InstantProgress;
  /** W3C trace context of the last event, if it is recent. */
  readonly traceparent?: string;
}

/**
 * Returns instant payments that have to be continued now: up to `limit` single ones, oldest first, then those of as many
 * bulk payments as fit; with `only`, those of these that can be read now, whatever their progress.
 */
export const readDueInstants = call<
  { readonly limit: number; readonly only?: readonly TransactionRef[] },
  { readonly payments: readonly DueInstant[] }
>('svc.payments.settlement.due-instants', 'idempotent', 5000);

/** Records a step of an instant payment. A step that is already recorded changes nothing. */
export const recordInstant = call<
  TransactionRef & { readonly step: InstantStep },
  {
    /** False if the payment does not allow the step, for example a hold after a cancellation. */
    readonly recorded: boolean;
    /** What has to be done after the step, or instead of it. */
    readonly progress: InstantProgress;
    /** True if the payee's bank confirmed the payment after its rejection was decided. */
    readonly answeredLate: boolean;
  }
>('svc.payments.settlement.record-instant', 'idempotent', 5000);
