import type { PaymentEvent } from '../payment/payment-events.js';
import { type PaymentState, getReasonCode, getService } from '../payment/payment-state.js';
import { isFinal } from '../payment/payment-transitions.js';
import type { Notifiable, OccurrenceChange } from './status-notification.js';

/**
 * The part of the state of a single payment, order or bulk payment that is reported to its TPP. The entries of a
 * bulk payment are not reported.
 */
export const notifiablePayment = (state: PaymentState): Notifiable => ({
  status: state.status,
  isFinal: isFinal(state),
  fundsAvailable: state.fundsAvailable,
  reasonCode: getReasonCode(state),
  authorisations: state.authorisations,
});

/**
 * The change of an occurrence of a periodic order (contract 9): its funds are held, or the occurrence is skipped.
 * `idOf` returns the transactionId of an occurrence that has no entry.
 */
export const occurrenceIn = (
  event: PaymentEvent,
  state: PaymentState,
  makeId: (number: number) => string,
): OccurrenceChange | undefined => {
  if (getService(state) !== 'periodic-payments') return undefined;
  if (event.type === 'transaction-started')
    return { transactionId: event.data.transactionId, fundsAvailable: true };
  if (event.type !== 'transaction-refused') return undefined;
  return { transactionId: makeId(event.data.number), fundsAvailable: false };
};
