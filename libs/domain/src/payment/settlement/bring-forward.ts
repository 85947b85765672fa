import { type Decision, happened, refuse } from '../../decision.js';
import { isInstant } from '../instant/instant-payments.js';
import type { PaymentEvent } from '../payment-events.js';
import type { PaymentState } from '../payment-state.js';
import { canBeBroughtForward } from '../payment-transitions.js';
import { dueTransactions, hasEnded, nextDueAt } from './due.js';

/** The number of an occurrence or an entry; undefined for a single payment. */
type TransactionNumber = number | undefined;

/**
 * Lists what is signed and still has to be executed: a single payment, the next occurrence of an order, or the
 * open entries of a bulk payment.
 */
export const listToExecute = (state: PaymentState): readonly TransactionNumber[] =>
  state.status === 'CANC'
    ? []
    : dueTransactions(state, { fees: [] }).flatMap(({ number, transactionStatus }) =>
        transactionStatus === 'ACSC' ? [] : [number],
      );

/**
 * Makes settlement due at `now` (ISO instant) instead of later (contract 13); changes nothing if it is due or begun
 * already. Fails with statusForbidsSettlement if there is nothing to execute.
 */
export const bringForward = (
  state: PaymentState,
  { now }: { readonly now: string },
): Decision<PaymentEvent> => {
  if (listToExecute(state).length === 0) return refuse('statusForbidsSettlement');
  const dueAt = nextDueAt(state);
  // The instance that brought it forward may have a clock that is ahead of this one.
  return canBeBroughtForward(state) && dueAt !== undefined && dueAt > now
    ? happened<PaymentEvent>({ type: 'brought-forward', data: { dueAt: now } })
    : happened();
};

/**
 * Returns whether these transactions are executed (paid or without funds), or were cancelled before. An instant
 * payment is executed once it is sent: it ends by itself within ten seconds.
 */
export const executionOf = (
  state: PaymentState,
  numbers: readonly TransactionNumber[],
): 'in-progress' | 'executed' | 'cancelled' => {
  if (isInstant(state) && state.status === 'ACSP') return 'executed';
  if (!numbers.every((number) => hasEnded(state, number))) return 'in-progress';
  if (state.status !== 'CANC') return 'executed';
  // An occurrence may have been executed before its order was cancelled.
  const executed = state.service === 'periodic-payments' ? (state.ended?.number ?? 0) : 0;
  return numbers.every((number) => number !== undefined && number <= executed) ? 'executed' : 'cancelled';
};
