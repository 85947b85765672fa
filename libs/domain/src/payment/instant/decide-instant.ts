import { type Decision, happened, refuse } from '../../decision.js';
import { evolvePayment } from '../evolve-payment.js';
import type { PaymentEvent } from '../payment-events.js';
import { isSinglePayment, type PaymentState, type SinglePayment } from '../payment-state.js';
import { deriveStage } from '../payment-transitions.js';
import type { InstantAnswer, ReasonCode } from './instant-answer.js';
import { decideInstantEntryStep, instantEntryProgress } from './instant-entries.js';
import { isInstant } from './instant-payments.js';
import { afterAnswer, type InstantProgress, type InstantStep, none } from './instant-steps.js';

type InstantDecision = Decision<PaymentEvent>;

/**
 * Returns what has to be done next, at `now` (ISO instant of the bank's clock). `number`: of an entry of a bulk payment,
 * from 1.
 */
export const instantProgress = (state: PaymentState, now: string, number?: number): InstantProgress => {
  if (state.service === 'bulk-payments' && number !== undefined)
    return instantEntryProgress(state, number, now);
  if (!isInstantPayment(state)) return none;
  const { signed, instant } = state;
  switch (deriveStage(state)) {
    case 'signed':
      if (signed === undefined || signed.dueAt > now) return none;
      return signed.answerBy === undefined ? { next: 'hold' } : { next: 'hold', answerBy: signed.answerBy };
    case 'settling':
      return instant === undefined ? none : { next: 'send', answerBy: instant.answerBy };
    case 'answered':
      return instant?.answer === undefined ? none : afterAnswer(instant.answer);
    default:
      return none;
  }
};

/** Narrows to a single instant payment. */
const isInstantPayment = (state: PaymentState): state is SinglePayment =>
  isSinglePayment(state) && isInstant(state);

/**
 * Decides on a step of an instant payment; `now` is an ISO instant of the bank's clock. A step that is already
 * recorded changes nothing. A step that the payment does not allow is refused: the first answer counts, and a payment
 * that was cancelled is neither held nor sent. A confirmation after the rejection is recorded for the operators.
 */
export const decideInstantStep = (
  state: PaymentState,
  step: InstantStep,
  now: string,
  number?: number,
): InstantDecision => {
  if (state.service === 'bulk-payments' && number !== undefined)
    return decideInstantEntryStep(state, number, step, now);
  if (!isInstantPayment(state)) return notAllowed;
  switch (step.step) {
    case 'held':
      return hold(state, step, now);
    case 'answered':
      return answer(state, step.answer);
    case 'posted':
      return post(state, step.postingId);
    case 'released':
      return release(state, step.reasonCode);
  }
};

const notAllowed: InstantDecision = refuse('statusForbidsAuthorisation');

const hold = (
  state: SinglePayment,
  { holdId, transactionId, answerBy }: Extract<InstantStep, { step: 'held' }>,
  now: string,
): InstantDecision => {
  if (state.holdId === holdId && state.status === 'ACSP') return happened();
  if (deriveStage(state) !== 'signed') return notAllowed;
  const data = { holdId, transactionId, bookAt: now, answerBy };
  return happened<PaymentEvent>({ type: 'settlement-started', data });
};

const answer = (state: SinglePayment, given: InstantAnswer): InstantDecision => {
  switch (deriveStage(state)) {
    case 'settling':
      return happened<PaymentEvent>({ type: 'instant-answered', data: { answer: given } });
    case 'answered':
    case 'rejected':
      return isLate(state, given)
        ? happened<PaymentEvent>({ type: 'instant-answered-late', data: {} })
        : happened();
    default:
      return given.outcome === 'settled' && state.status === 'ACSC' ? happened() : notAllowed;
  }
};

/** True for the first confirmation of a payment for which a rejection was decided. */
const isLate = ({ instant }: SinglePayment, given: InstantAnswer): boolean =>
  given.outcome === 'settled' && instant?.answer?.outcome === 'rejected' && instant.answeredLate !== true;

const post = (state: SinglePayment, postingId: string): InstantDecision => {
  const { status, transactionId, instant } = state;
  if (status === 'ACSC') return happened();
  const isConfirmed = deriveStage(state) === 'answered' && instant?.answer?.outcome === 'settled';
  if (!isConfirmed || transactionId === undefined) return notAllowed;
  return happened<PaymentEvent>(
    { type: 'settled', data: { postingId } },
    { type: 'entry-booked', data: { transactionId } },
  );
};

const release = (state: SinglePayment, reasonCode: ReasonCode): InstantDecision => {
  const stage = deriveStage(state);
  if (stage === 'rejected') return happened();
  const isRefused =
    stage === 'signed' || (stage === 'answered' && state.instant?.answer?.outcome === 'rejected');
  return isRefused ? happened<PaymentEvent>({ type: 'instant-rejected', data: { reasonCode } }) : notAllowed;
};

/** What became of a step, and what has to be done after it, or instead of it. */
export interface InstantOutcome {
  /** False if the payment does not allow the step. */
  readonly recorded: boolean;
  readonly progress: InstantProgress;
  /** True if the payee's bank confirmed the payment after its rejection was decided. */
  readonly answeredLate: boolean;
}

/** Decides on steps of a payment, or of the entries of a bulk payment, each as if the earlier ones had been recorded. */
export const decideInstantSteps = (
  before: PaymentState,
  steps: readonly { readonly step: InstantStep; readonly number?: number }[],
  now: string,
): { readonly events: readonly PaymentEvent[]; readonly outcomes: readonly InstantOutcome[] } => {
  const all: PaymentEvent[] = [];
  let state = before;
  const outcomes = steps.map(({ step, number }): InstantOutcome => {
    const decision = decideInstantStep(state, step, now, number);
    const events = 'refused' in decision ? [] : decision.events;
    all.push(...events);
    state = events.reduce((next, event) => evolvePayment(next, event, now), state);
    return {
      recorded: !('refused' in decision),
      progress: instantProgress(state, now, number),
      answeredLate: wasAnsweredLate(state, number),
    };
  });
  return { events: all, outcomes };
};

/** True if the payee's bank confirmed the payment, or the entry, after its rejection was decided. */
const wasAnsweredLate = (state: PaymentState, number?: number): boolean =>
  executionOf(state, number)?.answeredLate === true;

/** Returns what is known of the order to the payee's bank; undefined before the amount is held. */
export const executionOf = (state: PaymentState, number?: number) => {
  const payment = state.service === 'bulk-payments' ? state.entries[(number ?? 0) - 1] : state;
  return payment !== undefined && 'instant' in payment ? payment.instant : undefined;
};
