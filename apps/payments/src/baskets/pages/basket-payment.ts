import type { BasketPayment } from '@xs2a/contracts/baskets.contract';
import { listOrders, type PaymentState, getService } from '@xs2a/domain/payment/payment-state';

/** A payment in a basket, as the SCA pages show it. */
export const asBasketPayment = (payment: PaymentState): BasketPayment => ({
  paymentId: payment.paymentId,
  service: getService(payment),
  product: payment.product,
  paymentType: payment.paymentType,
  orders: listOrders(payment),
  body: payment.body,
  payeesVerified: payment.payeesVerified,
  requestedExecutionDate:
    payment.service === 'periodic-payments' ? undefined : payment.requestedExecutionDate,
});
