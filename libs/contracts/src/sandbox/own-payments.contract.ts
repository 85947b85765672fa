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
}
/** Fails with fieldMalformed (path `cursor`) for a `before` that is not `next` of a page. */
export const listOwnPayments = call<
  ListOwnPayments,
  { readonly payments: readonly OwnPaymentRow[]; readonly next?: string }
>('svc.payments.sandbox.list', 'idempotent');
