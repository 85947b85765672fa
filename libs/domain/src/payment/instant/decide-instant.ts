import { type Decision, happened, refuse } from '../../decision.js';
import type { PaymentEvent } from '../payment-events.js';
import type { PaymentState, SinglePayment } from '../payment-state.js';
import { deriveStage } from '../payment-transitions.js';
import type { InstantAnswer, ReasonCode } from './instant-answer.js';
import { isInstant } from './instant-payments.js';

/**
 * A step in the execution of an instant payment. The answer is recorded before the money moves, so that whoever
 * continues after a crash posts or voids the hold by the same answer.
 */
export type InstantStep =
  | {
      /** The amount is held. */
      readonly step: 'held';
      readonly holdId: string;
      readonly transactionId: string;
      /** Real time until which the answer is awaited. @format date-time */
      readonly answerBy: string;
    }
  | { readonly step: 'answered'; readonly answer: InstantAnswer }
  | { readonly step: 'posted'; readonly postingId: string }
  /** No hold remains, because there was none or because it was voided. */
  | { readonly step: 'released'; readonly reasonCode: ReasonCode };

/** What has to be done next for an instant payment; `none` if it has ended or is not due. */
export type InstantProgress =
  | {
      readonly next: 'hold';
      /** Real time until which the answer is awaited; absent for a payment with a later execution date. @format date-time */
      readonly answerBy?: string;
    }
  | {
      readonly next: 'send';
      /** @format date-time */
      readonly answerBy: string;
    }
  | { readonly next: 'post' }
  | { readonly next: 'void'; readonly reasonCode: ReasonCode }
  | { readonly next: 'none' };

type InstantDecision = Decision<PaymentEvent>;

const none: InstantProgress = { next: 'none' };

/** Returns what has to be done next, at `now` (ISO instant of the bank's clock). */
export const instantProgress = (state: PaymentState, now: string): InstantProgress => {
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

const afterAnswer = (answer: InstantAnswer): InstantProgress =>
  answer.outcome === 'settled' ? { next: 'post' } : { next: 'void', reasonCode: answer.reasonCode };

/** Narrows to a single instant payment. */
const isInstantPayment = (state: PaymentState): state is SinglePayment => isInstant(state);

/**
 * Decides on a step of an instant payment; `now` is an ISO instant of the bank's clock. A step that is already
 * recorded changes nothing. A step that the payment does not allow is refused: the first answer counts, and a payment
 * that was cancelled is neither held nor sent. A confirmation after the rejection is recorded for the operators.
 */
export const decideInstantStep = (state: PaymentState, step: InstantStep, now: string): InstantDecision => {
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
