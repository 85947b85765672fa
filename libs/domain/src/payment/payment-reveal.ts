import { revealable } from '../reveal.js';
import { paymentStateFields } from './payment-event-types.js';
import type { PaymentOrder } from './payment-events.js';
import { listOrders, type PaymentState } from './payment-state.js';

/** The fields of a payment that an operator may have revealed, one at a time. */
export const paymentReveals = [
  'debtorIban',
  'creditorName',
  'creditorAccount',
  'remittance',
  'endToEndId',
  'psuId',
] as const;
export type PaymentReveal = (typeof paymentReveals)[number];

/** A member of the order or, in a bulk payment, of one entry's order. */
const ofOrder = (name: Exclude<PaymentReveal, 'psuId'>) => ({
  members: [`order.${name}`, `orders.${name}`],
  read: (state: PaymentState, entry: number) => {
    const order: Partial<PaymentOrder> | undefined = listOrders(state)[entry - 1];
    return [order?.[name]];
  },
});

export const revealablePaymentFields = revealable<PaymentState, PaymentReveal>(paymentStateFields, {
  debtorIban: ofOrder('debtorIban'),
  creditorName: ofOrder('creditorName'),
  creditorAccount: ofOrder('creditorAccount'),
  remittance: ofOrder('remittance'),
  endToEndId: ofOrder('endToEndId'),
  psuId: {
    members: ['namedPsuId', 'authorisations.psuId', 'authorisations.namedPsuId'],
    read: ({ namedPsuId, authorisations }) => [
      namedPsuId,
      ...authorisations.flatMap((one) => [one.psuId, one.namedPsuId]),
    ],
  },
});
