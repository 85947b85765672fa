import type { PeriodicSchedule } from '../order/periodic-schedule.js';
import type { PaymentOrder } from '../payment/payment-events.js';
import type { PaymentService } from '../payment/payment-services.js';
import { total } from '../payment/pricing/price-order.js';
import type { SignedContent } from './otp-binding.js';

export interface SignablePayment {
  readonly paymentId: string;
  readonly service: PaymentService;
  /** One order or, for a bulk payment, one per entry. */
  readonly orders: readonly PaymentOrder[];
  readonly schedule?: PeriodicSchedule;
}

const getPayee = ({ creditorAccount, creditorName, amount }: PaymentOrder) => ({
  amount,
  payeeAccount: creditorAccount,
  payeeName: creditorName,
});

/** The content of a single payment, periodic order or bulk payment to which the OTP code is bound. */
export const signedPayment = ({
  paymentId: resourceId,
  service,
  orders,
  schedule,
}: SignablePayment): SignedContent => {
  const [order] = orders;
  if (order === undefined) throw new Error('A payment initiation must contain at least one payment.');
  if (service === 'bulk-payments') {
    const payees = orders.map(({ creditorAccount: account, creditorName: name, amount }) => ({
      account,
      name,
      amount,
    }));
    return { kind: 'bulk', resourceId, total: total(orders.map(({ amount }) => amount)), payees };
  }
  if (service === 'payments') return { kind: 'payment', resourceId, ...getPayee(order) };
  if (schedule === undefined) throw new Error('A periodic order must have a schedule.');
  return { kind: 'order', resourceId, ...getPayee(order), schedule };
};
