import { type Decision, happened, refuse } from '../../decision.js';
import type { PaymentEvent } from '../payment-events.js';
import type { BulkEntry, BulkPayment } from '../payment-state.js';
import { deriveStage } from '../payment-transitions.js';
import type { InstantAnswer, ReasonCode } from './instant-answer.js';
import { isInstant } from './instant-payments.js';
import { afterAnswer, type InstantProgress, type InstantStep, none } from './instant-steps.js';

type EntryDecision = Decision<PaymentEvent>;
const notAllowed: EntryDecision = refuse('statusForbidsAuthorisation');

const isUnderWay = (state: BulkPayment): boolean => ['signed', 'settling'].includes(deriveStage(state));
const hasEnded = ({ transactionStatus }: BulkEntry): boolean =>
  transactionStatus === 'ACSC' || transactionStatus === 'RJCT';

/** As `instantProgress`, for an entry of a bulk payment. The deadline of an entry begins when it is taken up. */
export const instantEntryProgress = (state: BulkPayment, number: number, now: string): InstantProgress => {
  const entry = state.entries[number - 1];
  const isDue = state.signed !== undefined && state.signed.dueAt <= now;
  if (entry === undefined || hasEnded(entry) || !isInstant(state) || !isUnderWay(state) || !isDue)
    return none;
  if (entry.instant === undefined) return { next: 'hold' };
  const { answerBy, answer } = entry.instant;
  return answer === undefined ? { next: 'send', answerBy } : afterAnswer(answer);
};

/** Entries under way at the same time (euro contract, E3.8). */
const maxUnderWay = 10;

/** The numbers of the entries that have to be continued now, in their order; the others wait for these. */
export const instantEntriesUnderWay = (state: BulkPayment, now: string): readonly number[] =>
  state.entries
    .flatMap((_entry, index) => {
      const number = index + 1;
      return instantEntryProgress(state, number, now).next === 'none' ? [] : [number];
    })
    .slice(0, maxUnderWay);

/** As `decideInstantStep`, for an entry of a bulk payment. The last entry also ends the bulk payment. */
export const decideInstantEntryStep = (
  state: BulkPayment,
  number: number,
  step: InstantStep,
  now: string,
): EntryDecision => {
  const entry = state.entries[number - 1];
  if (entry === undefined || !isInstant(state)) return notAllowed;
  switch (step.step) {
    case 'held': {
      const { holdId, transactionId, answerBy } = step;
      if (entry.holdId !== undefined)
        return entry.holdId === holdId && !hasEnded(entry) ? happened() : notAllowed;
      if (hasEnded(entry) || !isUnderWay(state)) return notAllowed;
      const data = { number, holdId, transactionId, bookAt: now, answerBy };
      return happened<PaymentEvent>({ type: 'transaction-started', data });
    }
    case 'answered':
      return answer(entry, number, step.answer);
    case 'posted': {
      if (entry.transactionStatus === 'ACSC') return happened();
      if (hasEnded(entry) || entry.instant?.answer?.outcome !== 'settled') return notAllowed;
      const data = { number, postingId: step.postingId };
      return happened<PaymentEvent>({ type: 'transaction-settled', data }, ...ended(state, number));
    }
    case 'released': {
      if (entry.transactionStatus === 'RJCT') return happened();
      const isRefused =
        entry.instant === undefined ? isUnderWay(state) : entry.instant.answer?.outcome === 'rejected';
      if (hasEnded(entry) || !isRefused) return notAllowed;
      const { reasonCode } = step;
      const data = { number, reasonCode };
      return happened<PaymentEvent>(
        { type: 'transaction-rejected', data },
        ...ended(state, number, reasonCode),
      );
    }
  }
};

const answer = (
  { transactionStatus, instant }: BulkEntry,
  number: number,
  given: InstantAnswer,
): EntryDecision => {
  if (instant === undefined) return notAllowed;
  if (instant.answer === undefined)
    return happened<PaymentEvent>({ type: 'transaction-answered', data: { number, answer: given } });
  const isLate =
    given.outcome === 'settled' &&
    instant.answer.outcome === 'rejected' &&
    transactionStatus !== 'ACSC' &&
    instant.answeredLate !== true;
  return isLate ? happened<PaymentEvent>({ type: 'instant-answered-late', data: { number } }) : happened();
};

/** What the last entry makes of the bulk payment: all paid, some, or none, which has the reason of the first entry. */
const ended = ({ entries }: BulkPayment, number: number, reasonCode?: ReasonCode): PaymentEvent[] => {
  const others = entries.filter((_entry, index) => index !== number - 1);
  if (!others.every(hasEnded)) return [];
  const paid =
    others.filter(({ transactionStatus }) => transactionStatus === 'ACSC').length +
    (reasonCode === undefined ? 1 : 0);
  if (paid === entries.length) return [{ type: 'completed', data: {} }];
  if (paid > 0) return [{ type: 'partly-completed', data: {} }];
  const first = number === 1 ? reasonCode : entries[0]?.reasonCode;
  return first === undefined ? [] : [{ type: 'instant-rejected', data: { reasonCode: first } }];
};
