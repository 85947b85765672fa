import type { PaymentEvent } from '../payment/payment-events.js';
import type { BulkEntry, BulkPayment } from '../payment/payment-state.js';

/** A new bulk payment, in which no entry is held yet. */
export const newBulk = (initiated: Omit<BulkPayment, 'service' | 'entries'>): BulkPayment => ({
  ...initiated,
  service: 'bulk-payments',
  entries: initiated.orders.map(() => ({ transactionStatus: 'ACCP' })),
});

const withEntry = (state: BulkPayment, number: number, change: BulkEntry): BulkPayment => ({
  ...state,
  entries: state.entries.map((entry, index) => (index === number - 1 ? { ...entry, ...change } : entry)),
});

/** The bulk payment after an event of one of its entries (contract 9); other events leave it unchanged. */
export function evolveBulk(state: BulkPayment, event: PaymentEvent): BulkPayment {
  switch (event.type) {
    case 'brought-forward':
      return { ...state, signed: state.signed && { ...state.signed, dueAt: event.data.dueAt } };
    case 'transaction-started': {
      const { number, holdId, transactionId } = event.data;
      const held = { transactionStatus: 'ACSP', fundsAvailable: true, holdId, transactionId } as const;
      return withEntry(state, number, held);
    }
    case 'transaction-settled':
      return withEntry(state, event.data.number, { transactionStatus: 'ACSC' });
    case 'transaction-refused':
      return withEntry(state, event.data.number, { transactionStatus: 'ACCP', fundsAvailable: false });
    case 'completed':
      return { ...state, fundsAvailable: true };
    default:
      return state;
  }
}
