import type { PaymentEvent } from '../payment/payment-events.js';
import { reasonCodes } from '../payment/instant/instant-answer.js';
import type { BulkEntry, BulkPayment, InstantState } from '../payment/payment-state.js';

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

const withInstant = (state: BulkPayment, number: number, change: Partial<InstantState>): BulkPayment => {
  const entry = state.entries[number - 1];
  return entry?.instant === undefined
    ? state
    : withEntry(state, number, { ...entry, instant: { ...entry.instant, ...change } });
};

/** The bulk payment after an event of one of its entries (contract 9); other events leave it unchanged. */
export function evolveBulk(state: BulkPayment, event: PaymentEvent): BulkPayment {
  switch (event.type) {
    case 'brought-forward':
      return { ...state, signed: state.signed && { ...state.signed, dueAt: event.data.dueAt } };
    case 'transaction-started': {
      const { number, holdId, transactionId, answerBy } = event.data;
      const held = { transactionStatus: 'ACSP', fundsAvailable: true, holdId, transactionId } as const;
      return withEntry(state, number, answerBy === undefined ? held : { ...held, instant: { answerBy } });
    }
    case 'transaction-answered':
      return withInstant(state, event.data.number, { answer: event.data.answer });
    case 'instant-answered-late':
      return withInstant(state, event.data.number ?? 0, { answeredLate: true });
    case 'transaction-rejected': {
      const { number, reasonCode } = event.data;
      // Only a lack of funds says something about the funds.
      const fundsAvailable = reasonCode === reasonCodes.noFunds ? false : undefined;
      return withEntry(state, number, { transactionStatus: 'RJCT', fundsAvailable, reasonCode });
    }
    case 'instant-rejected': {
      const { reasonCode } = event.data;
      return {
        ...state,
        reasonCode,
        ...(reasonCode === reasonCodes.noFunds ? { fundsAvailable: false } : {}),
      };
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
