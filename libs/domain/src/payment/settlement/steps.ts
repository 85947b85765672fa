import { decideEntryStep } from '../../bulk/decide-bulk.js';
import { type Decision, refuse } from '../../decision.js';
import { decideOccurrenceStep } from '../../order/decide-order.js';
import type { Profile } from '../../profile/profile.js';
import { bookEntry, refuseFunds, settlePayment, startSettlement } from '../decide-payment.js';
import { evolvePayment } from '../evolve-payment.js';
import { isInstant } from '../instant/instant-payments.js';
import type { PaymentEvent } from '../payment-events.js';
import { isSinglePayment, type PaymentState, type SinglePayment } from '../payment-state.js';
import type { SettlementStep, TransactionStep } from './step.js';

/** A settlement step. If it has a number, it belongs to an occurrence or an entry, otherwise to a single payment. */
export type NumberedStep = SettlementStep & { readonly number?: number };

const decideSingleStep = (
  state: SinglePayment,
  step: SettlementStep,
  now: string,
  profile: Profile,
): Decision<PaymentEvent> => {
  switch (step.step) {
    case 'settlement-started':
      return startSettlement(state, { ...step, now }, profile);
    case 'funds-refused':
      return refuseFunds(state, step);
    case 'settled':
      return settlePayment(state, step);
    case 'entry-booked':
      return bookEntry(state);
  }
};

const isOfTransaction = (step: NumberedStep): step is TransactionStep => step.number !== undefined;

/**
 * Decides on a settlement step for a payment initiation in this state. Returns the events to append, or the
 * failure if the step is refused. `now` is an ISO instant.
 */
export const decideSettlementStep = (
  state: PaymentState,
  step: NumberedStep,
  now: string,
  profile: Profile,
): Decision<PaymentEvent> => {
  // Instant payments have steps of their own.
  if (isInstant(state)) return refuse('statusForbidsAuthorisation');
  if (isSinglePayment(state)) return decideSingleStep(state, step, now, profile);
  if (!isOfTransaction(step)) return refuse('statusForbidsAuthorisation');
  return state.service === 'periodic-payments'
    ? decideOccurrenceStep(state, step, now, profile)
    : decideEntryStep(state, step, now, profile);
};

/** The events of all accepted steps of one initiation, in order, and the resulting state. */
export interface DecidedSteps<Step> {
  readonly events: readonly PaymentEvent[];
  readonly refusedSteps: readonly Step[];
  /** The initiation after these events. */
  readonly state: PaymentState;
}

/** Decides on steps one by one, each as if the earlier ones had already been recorded. */
export const decideSettlementSteps = <Step extends NumberedStep>(
  state: PaymentState,
  steps: readonly Step[],
  now: string,
  profile: Profile,
): DecidedSteps<Step> => {
  const begun: DecidedSteps<Step> = { events: [], refusedSteps: [], state };
  return steps.reduce((so, step) => {
    const decision = decideSettlementStep(so.state, step, now, profile);
    if ('refused' in decision) return { ...so, refusedSteps: [...so.refusedSteps, step] };
    const { events } = decision;
    return {
      ...so,
      events: [...so.events, ...events],
      state: events.reduce((next, event) => evolvePayment(next, event, now), so.state),
    };
  }, begun);
};
