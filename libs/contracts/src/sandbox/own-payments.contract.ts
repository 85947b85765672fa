import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import type { PaymentService } from '@xs2a/domain/payment/payment-services';
import type { PaymentStatus } from '@xs2a/domain/payment/payment-state';
import { call } from '../call.js';

/** A page of a TPP's own payments of every payment service, newest first (contract 13); only in the sandbox. */
export interface ListOwnPayments {
  readonly tppId: string;
  readonly limit: number;
  /** `next` of the page before. */
  readonly before?: string;
}
export interface OwnPaymentRow {
  /** @format uuid */
  readonly paymentId: string;
  readonly service: PaymentService;
  readonly product: PaymentProduct;
  readonly transactionStatus: PaymentStatus;
  /** Of a periodic order the amount of each payment, of a bulk payment the sum. */
  readonly amount: MinorAmount;
  /** The time of the POST. @format date-time */
  readonly createdAt: string;
  /** When the bank executes it, or the next occurrence or entry; only while it waits for that. @format date-time */
  readonly dueAt?: string;
  /** As in the payment's status: false with ACCP is final. Older services do not send it. */
  readonly fundsAvailable?: boolean;
}
/** Fails with fieldMalformed (path `cursor`) for a `before` that is not `next` of a page. */
export const listOwnPayments = call<
  ListOwnPayments,
  { readonly payments: readonly OwnPaymentRow[]; readonly next?: string }
>('svc.payments.sandbox.list', 'idempotent');

/** An event of a payment as its TPP sees it: nothing of the PSU, and no step inside the bank. */
export interface OwnPaymentEvent {
  /** @format date-time */
  readonly time: string;
  readonly type: string;
  /** The status after the event. */
  readonly status?: string;
  /** @format uuid */
  readonly authorisationId?: string;
  /** @format uuid */
  readonly basketId?: string;
  /** The occurrence of an order or the entry of a bulk payment, from 1. */
  readonly number?: number;
  /** @format date */
  readonly executionDate?: string;
  /** When the bank executes it. @format date-time */
  readonly dueAt?: string;
  /** Why it was rejected. */
  readonly reason?: string;
  /** The ISO 20022 code of the payee's bank. */
  readonly reasonCode?: string;
}
/**
 * The history of the caller's payment, of any payment service; empty once its events are archived. Only in the sandbox. Fails with
 * resourceUnknown.
 */
export const readOwnTimeline = call<
  { readonly tppId: string; readonly paymentId: string },
  {
    /** Of the newest 500 events of the log those that a TPP sees, oldest first. */
    readonly events: readonly OwnPaymentEvent[];
    /** The number of older events in the log. */
    readonly leftOut: number;
    /** Where the payment is in the API. Older services do not send it. */
    readonly payment?: Pick<OwnPaymentRow, 'service' | 'product'>;
  }
>('svc.payments.sandbox.timeline', 'idempotent');
