import type { BasketPayment, BasketPaymentSummary } from '@xs2a/contracts/baskets.contract';
import { total } from '@xs2a/domain/payment/pricing/price-order';
import { otpBinding, type SignedContent } from '@xs2a/domain/sca/otp-binding';
import { signedPayment } from '@xs2a/domain/sca/signed-payment';
import { createHash } from 'node:crypto';

/** The digest of what an item's own code would be bound to. A basket's code is bound to its items' digests. */
export const digestContent = (content: SignedContent): string =>
  createHash('sha256').update(otpBinding(content)).digest('base64url');

/** Summarises a payment of a basket, so that it can be signed without reading its entries again. */
export const summarisePayment = (payment: BasketPayment): BasketPaymentSummary => ({
  paymentId: payment.paymentId,
  debtorIban: payment.orders[0]?.debtorIban ?? '',
  amount: total(payment.orders.map(({ amount }) => amount)),
  numberOfPayments: payment.orders.length,
  digest: digestContent(signedPayment(payment)),
});
