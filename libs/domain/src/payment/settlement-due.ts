import type { PaymentOrder } from './payment-events.js';
import type { PaymentState } from './payment-state.js';
import { stageOf } from './payment-transitions.js';

/** A payment with which the settlement worker has something to do from `dueAt` on (ISO instant). */
export interface DuePayment {
  readonly paymentId: string;
  readonly dueAt: string;
  /** ACCP: to be held; ACSP: held, to be posted; ACSC: its entry becomes a booked one. */
  readonly transactionStatus: 'ACCP' | 'ACSP' | 'ACSC';
  readonly order: PaymentOrder;
}

/**
 * Tells the next step of a payment's settlement and the time from which it is due; undefined when settlement has nothing to do for it,
 * now or later.
 */
export const duePayment = (state: PaymentState): DuePayment | undefined => {
  const { paymentId, order, signed, bookAt, entryBooked } = state;
  const due = (
    transactionStatus: DuePayment['transactionStatus'],
    dueAt: string | undefined,
  ): DuePayment | undefined =>
    dueAt === undefined ? undefined : { paymentId, dueAt, transactionStatus, order };
  switch (stageOf(state)) {
    case 'signed':
      return due('ACCP', signed?.dueAt);
    case 'settling':
      return due('ACSP', signed?.dueAt);
    case 'settled':
      return entryBooked ? undefined : due('ACSC', bookAt);
    default:
      return undefined;
  }
};

/** Whether the settlement worker has something to do with the payment at `now` (ISO instant). */
export const isDueAt = (state: PaymentState, now: string): boolean => {
  const payment = duePayment(state);
  return payment !== undefined && payment.dueAt <= now;
};

/** The order in which due payments decide about money: by time, then by id. */
export const isDueBefore = (one: DuePayment, other: DuePayment): boolean =>
  one.dueAt < other.dueAt || (one.dueAt === other.dueAt && one.paymentId < other.paymentId);
