import { occurrenceAfter } from '../../order/plan-occurrence.js';
import type { Profile } from '../../profile/profile.js';
import type { PaymentOrder } from '../payment-events.js';
import {
  type BulkEntry,
  type BulkPayment,
  isSinglePayment,
  type PaymentState,
  type PeriodicOrder,
  type SinglePayment,
} from '../payment-state.js';
import { priceOrder } from '../pricing/price-order.js';
import { deriveStage } from '../payment-transitions.js';
import { euro } from '../standards/euro.js';

/** A transaction whose next settlement step is due from `dueAt` on (ISO instant). */
export interface DueTransaction {
  /** The number of an occurrence or an entry, 1-based; absent for a single payment. */
  readonly number?: number;
  readonly dueAt: string;
  /** ACCP: funds to be held. ACSP: funds held, to be posted. ACSC: posted, entry to be booked. */
  readonly transactionStatus: 'ACCP' | 'ACSP' | 'ACSC';
  readonly order: PaymentOrder;
  /** Present if the debtor's history shows a single entry for the whole bulk payment. */
  readonly batchId?: string;
  /** True for an occurrence of an order. */
  readonly isOccurrence?: true;
}

/** The initiation and the 1-based number of an occurrence of a periodic order or an entry of a bulk payment. */
export interface PartOf {
  readonly paymentId: string;
  readonly number: number;
}

/** A due transaction with its booking id: the id of a single payment, or an id derived from `partOf`. */
export type DuePayment = Omit<DueTransaction, 'number'> & {
  readonly paymentId: string;
  /** Absent for a single payment. */
  readonly partOf?: PartOf;
  /** The ISO instant from which the next occurrence of the order is due. Absent for the last occurrence. */
  readonly followedAt?: string;
  /** W3C trace context of the event that made the payment due, if it is recent. */
  readonly traceparent?: string | undefined;
};

/** The prices by which an occurrence is charged: those of the day on which it is executed (contract 9). */
type Prices = Pick<Profile, 'fees' | 'exchangeRates'>;

/** A transaction that has been due for longer than this many milliseconds is overdue. */
export const overdueMs = 60_000;

const dueOfSingle = (state: SinglePayment): readonly DueTransaction[] => {
  const { order, signed, bookAt, entryBooked } = state;
  const due = (
    transactionStatus: DueTransaction['transactionStatus'],
    dueAt: string | undefined,
  ): readonly DueTransaction[] => (dueAt === undefined ? [] : [{ dueAt, transactionStatus, order }]);
  switch (deriveStage(state)) {
    case 'signed':
      return due('ACCP', signed?.dueAt);
    case 'settling':
    case 'answered':
      return due('ACSP', signed?.dueAt);
    case 'settled':
      return entryBooked ? [] : due('ACSC', bookAt);
    default:
      return [];
  }
};

/**
 * As what the fees of the euro charge a converted order: as the product that succeeded its own, without the service
 * level and charge bearer that were named for leva (contract E2.3, E6.3).
 */
const submittedInEuro = (product: PeriodicOrder['product']): Parameters<typeof priceOrder>[1] => ({
  product: euro.closedProducts[product] ?? product,
  body: {},
});

/** Only one occurrence is due at a time: the next one waits until the current one has ended. */
const dueOfOrder = (state: PeriodicOrder, prices: Prices): readonly DueTransaction[] => {
  const { started, planned, product, body, order } = state;
  const next = started ?? (state.status === 'CANC' ? undefined : planned);
  if (next === undefined) return [];
  const { number, dueAt } = next;
  const submitted = state.convertedAt === undefined ? { product, body } : submittedInEuro(product);
  const priced = priceOrder(order, submitted, order.amount.currency, prices);
  const transactionStatus = started === undefined ? 'ACCP' : 'ACSP';
  return [{ number, dueAt, transactionStatus, order: priced, isOccurrence: true }];
};

/** The ISO instant from which the occurrence after the one that is due is itself due; undefined if there is none. */
export const nextOccurrenceDueAt = (
  state: PaymentState,
  profile: Pick<Profile, 'holidays' | 'timeZone'>,
): string | undefined => {
  if (state.service !== 'periodic-payments' || state.status === 'CANC') return undefined;
  const due = state.started ?? state.planned;
  return due === undefined ? undefined : occurrenceAfter(due, state.schedule, profile)?.dueAt;
};

type OpenEntry = BulkEntry & { readonly transactionStatus: 'ACCP' | 'ACSP' };
const isOpen = (entry: BulkEntry): entry is OpenEntry =>
  ['ACCP', 'ACSP'].includes(entry.transactionStatus) && entry.fundsAvailable !== false;

const dueOfBulk = (state: BulkPayment): readonly DueTransaction[] => {
  const { signed, orders, entries, paymentId, batchBookingPreferred } = state;
  if (signed === undefined || state.status === 'CANC') return [];
  const batch = batchBookingPreferred ? { batchId: paymentId } : {};
  return entries.flatMap((entry, index) => {
    const order = orders[index];
    if (order === undefined || !isOpen(entry)) return [];
    const { transactionStatus } = entry;
    return [{ number: index + 1, dueAt: signed.dueAt, transactionStatus, order, ...batch }];
  });
};

/** Returns the next step of each transaction that settlement has to process, now or later. */
export const dueTransactions = (state: PaymentState, prices: Prices): readonly DueTransaction[] => {
  switch (state.service) {
    case undefined:
      return dueOfSingle(state);
    case 'periodic-payments':
      return dueOfOrder(state, prices);
    case 'bulk-payments':
      return dueOfBulk(state);
  }
};

const noPrices: Prices = { fees: [] };

/**
 * The ISO instant from which settlement has to process the initiation; undefined if it has nothing to process in
 * this state.
 */
export const nextDueAt = (state: PaymentState): string | undefined =>
  dueTransactions(state, noPrices)
    .map(({ dueAt }) => dueAt)
    .sort()[0];

/** True if the settlement worker has to process the transaction at `now` (ISO instant). */
export const isDueAt = (state: PaymentState, number: number | undefined, now: string): boolean =>
  dueTransactions(state, noPrices).some((due) => due.number === number && due.dueAt <= now);

/** True if a transaction has ended, paid or unpaid. A hold that has not been posted can then be released. */
export const hasEnded = (state: PaymentState, number: number | undefined): boolean => {
  const { status } = state;
  if (state.service === 'periodic-payments') {
    if (number === undefined || state.started?.number === number) return false;
    return status === 'CANC' || number <= (state.ended?.number ?? 0);
  }
  if (status === 'CANC' || status === 'RJCT') return true;
  if (isSinglePayment(state)) return status === 'ACSC' || state.fundsAvailable === false;
  const entry = number === undefined ? undefined : state.entries[number - 1];
  return entry !== undefined && !isOpen(entry);
};

/**
 * True if `one` is processed before `other`. Due payments are processed by time, then by the id of the payment,
 * order or bulk payment, then by number.
 */
export const isDueBefore = (one: DuePayment, other: DuePayment): boolean => {
  if (one.dueAt !== other.dueAt) return one.dueAt < other.dueAt;
  const [place, otherPlace] = [one, other].map(({ paymentId, partOf }) => partOf?.paymentId ?? paymentId);
  if (place === otherPlace) return (one.partOf?.number ?? 0) < (other.partOf?.number ?? 0);
  return String(place) < String(otherPlace);
};
