import type { PaymentAuthorisation } from '@xs2a/contracts/payments.contract';
import { total } from '@xs2a/domain/payment/pricing/price-order';
import type { SignedContent } from '@xs2a/domain/sca/otp-binding';
import { signedPayment } from '@xs2a/domain/sca/signed-payment';
import type { Entry, Row } from '../requests/authorisation-request.js';
import type { PaymentKind } from '../catalogue/approval-kinds.js';
import { convertedFigure } from '../pages/figures.js';
import { bulkEntries, bulkRows } from './bulk-rows.js';
import { orderRows } from './order-rows.js';
import { paymentRows } from './payment-rows.js';
import type { Reading } from './row-parts.js';

export type ReviewedPayment = Pick<
  PaymentAuthorisation,
  | 'paymentId'
  | 'service'
  | 'product'
  | 'orders'
  | 'schedule'
  | 'requestedExecutionDate'
  | 'body'
  | 'signedBy'
  | 'signaturesMissing'
  | 'payeesVerified'
  | 'amountInEuro'
>;

/**
 * The rows about a payment that the PSU reads before signing, and the content to which the code is bound. The two
 * must match.
 */
export interface PaymentReview {
  readonly kind: PaymentKind;
  readonly content: SignedContent;
  rows(reading: Reading): readonly Row[];
  /** The payments of a bulk payment, as one entry each. */
  readonly entries?: (reading: Reading) => readonly Entry[];
}

/**
 * The review of a single payment, a periodic order or a bulk payment (contract 8, 9). If the bank has switched to euro
 * when it is executed, the amount is shown in both currencies (contract E6.4).
 */
export const paymentReview = (payment: ReviewedPayment): PaymentReview => {
  const review = reviewInItsCurrency(payment);
  const { amountInEuro: euro, orders } = payment;
  if (euro === undefined) return review;
  const lev = total(orders.map(({ amount }) => amount));
  return {
    ...review,
    rows: (reading) =>
      review
        .rows(reading)
        .map((row) =>
          row.isAmount === true ? { ...row, value: convertedFigure({ euro, lev }, reading.language) } : row,
        ),
  };
};

const reviewInItsCurrency = (payment: ReviewedPayment): PaymentReview => {
  const { orders, schedule, service } = payment;
  const [order] = orders;
  if (order === undefined) throw new Error('A payment initiation must contain at least one payment.');
  const content = signedPayment(payment);
  if (service === 'bulk-payments') {
    return {
      kind: 'bulk',
      content,
      rows: (reading) => bulkRows(payment, reading),
      entries: (reading) => bulkEntries(payment, reading),
    };
  }
  if (service === 'periodic-payments') {
    if (schedule === undefined) throw new Error('A periodic order must have a schedule.');
    return {
      kind: 'order',
      content,
      rows: (reading) => orderRows({ ...payment, order, schedule }, reading),
    };
  }
  return {
    kind: 'payment',
    content,
    rows: (reading) => paymentRows({ ...payment, order }, reading),
  };
};
