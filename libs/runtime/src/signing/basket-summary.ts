import type { BasketPayment, BasketPaymentSummary } from '@xs2a/contracts/baskets.contract';
import { total } from '@xs2a/domain/payment/pricing/price-order';
import { otpBinding, type SignedContent } from '@xs2a/domain/sca/otp-binding';
import { signedPayment } from '@xs2a/domain/sca/signed-payment';
import { createHash } from 'node:crypto';

/**
 * Returns the digest to which the code for an item would be bound if the item were authorised separately. A
 * basket's code is bound to the digests of its items.
 */
export const digestContent = (content: SignedContent): string =>
  createHash('sha256').update(otpBinding(content)).digest('base64url');

/** Summarises a payment of a basket, so that the basket can be signed without reading the payment's entries again. */
export const summarisePayment = (payment: BasketPayment): BasketPaymentSummary => ({
  paymentId: payment.paymentId,
  debtorIban: payment.orders[0]?.debtorIban ?? '',
  amount: total(payment.orders.map(({ amount }) => amount)),
  numberOfPayments: payment.orders.length,
  digest: digestContent(signedPayment(payment)),
});
