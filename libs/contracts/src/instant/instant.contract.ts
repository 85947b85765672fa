import type { InstantAnswer } from '@xs2a/domain/payment/instant/instant-answer';
import type { InstantOutcome } from '@xs2a/domain/payment/instant/decide-instant';
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
 * bulk payments as fit, without the single ones in `except`; with `only`, those of these that can be read now,
 * whatever their progress. `unknown`: the booking ids of those in `only` whose payment does not exist.
 */
export const readDueInstants = call<
  {
    readonly limit: number;
    readonly except?: readonly string[];
    readonly only?: readonly TransactionRef[];
  },
  { readonly payments: readonly DueInstant[]; readonly unknown?: readonly string[] }
>('svc.payments.settlement.due-instants', 'idempotent', 5000);

/** A step of an instant payment, or of an entry of a bulk payment, to be recorded. */
export interface InstantRecord extends TransactionRef {
  readonly step: InstantStep;
}

/** What became of a step, or why that is not known. */
export type InstantRecorded = InstantOutcome | { readonly failure: 'resourceUnknown' | 'dependencyDown' };

/**
 * Records up to 100 steps, and returns what became of each, in their order. A step that is already recorded changes
 * nothing. A step has a failure instead of an outcome if its payment does not exist, or if it has to be repeated.
 */
export const recordInstants = call<
  { readonly records: readonly InstantRecord[] },
  { readonly results: readonly InstantRecorded[] }
>('svc.payments.settlement.record-instants', 'idempotent', 5000);
