import type { PaymentEvent } from '../payment/payment-events.js';
import type { PeriodicOrder } from '../payment/payment-state.js';

/** The state of a new order. It has no occurrences: the first is planned on signature. */
export const newOrder = (initiated: Omit<PeriodicOrder, 'service'>): PeriodicOrder => ({
  ...initiated,
  service: 'periodic-payments',
});

/** The periodic order after an event of one of its occurrences (contract 9); other events leave it unchanged. */
export function evolveOrder(state: PeriodicOrder, event: PaymentEvent): PeriodicOrder {
  const { planned, started, ...order } = state;
  switch (event.type) {
    case 'transaction-planned':
      return { ...order, planned: event.data };
    case 'brought-forward':
      return { ...state, planned: planned && { ...planned, dueAt: event.data.dueAt } };
    case 'transaction-started':
      return planned === undefined ? state : { ...order, started: { ...planned, holdId: event.data.holdId } };
    case 'transaction-settled':
      return { ...order, ended: { number: event.data.number, fundsAvailable: true } };
    case 'transaction-refused':
      return { ...order, ended: { number: event.data.number, fundsAvailable: false } };
    case 'cancelled':
      // An occurrence whose funds are held is still posted, but none follows it.
      return { ...order, started };
    default:
      return state;
  }
}
