import { type Decision, happened, refuse } from '../decision.js';
import type { PaymentEvent } from '../payment/payment-events.js';
import type { PeriodicOrder, PlannedOccurrence } from '../payment/payment-state.js';
import type { TransactionStep } from '../payment/settlement/step.js';
import type { Profile } from '../profile/profile.js';
import { addSeconds } from '../time/bank-calendar.js';
import { occurrenceAfter } from './plan-occurrence.js';

type OrderDecision = Decision<PaymentEvent>;
const notNow: OrderDecision = refuse('statusForbidsAuthorisation');

/**
 * Decides on a settlement step of an occurrence (contract 9). A repeated step changes nothing. Fails if the
 * occurrence was skipped or cancelled or has already ended; the caller must then release its hold, unless the hold
 * has been posted, in which case the release has no effect.
 */
export function decideOccurrenceStep(
  state: PeriodicOrder,
  step: TransactionStep,
  now: string,
  profile: Profile,
): OrderDecision {
  const { number } = step;
  switch (step.step) {
    case 'settlement-started': {
      const { holdId, transactionId } = step;
      if (state.started?.number === number) return state.started.holdId === holdId ? happened() : notNow;
      if (state.status === 'CANC' || state.planned?.number !== number) return notNow;
      const bookAt = addSeconds(now, profile.bookingDelaySeconds);
      const data = { number, holdId, transactionId, bookAt };
      return happened<PaymentEvent>({ type: 'transaction-started', data });
    }
    case 'settled': {
      if (number <= (state.ended?.number ?? 0)) return happened();
      if (state.started?.number !== number) return notNow;
      const settled: PaymentEvent = {
        type: 'transaction-settled',
        data: { number, postingId: step.postingId },
      };
      return happened(settled, ...continued(state, state.started, profile));
    }
    case 'funds-refused': {
      if (number <= (state.ended?.number ?? 0)) return happened();
      if (state.status === 'CANC' || state.planned?.number !== number) return notNow;
      const refused: PaymentEvent = { type: 'transaction-refused', data: { number, reason: step.reason } };
      return happened(refused, ...continued(state, state.planned, profile));
    }
    case 'entry-booked':
      return notNow;
  }
}

/**
 * Plans the next occurrence after one has ended, or completes the order if there is no next one. A cancelled order
 * has no next occurrence.
 */
function continued(state: PeriodicOrder, last: PlannedOccurrence, profile: Profile): PaymentEvent[] {
  if (state.status === 'CANC') return [];
  const next = occurrenceAfter(last, state.schedule, profile);
  return [next === undefined ? { type: 'completed', data: {} } : { type: 'transaction-planned', data: next }];
}
