import { type Decision, happened, refuse } from '../decision.js';
import type { Profile } from '../profile/profile.js';
import { addSeconds } from '../time/bank-calendar.js';
import type { FundsRefusalReason, PaymentEvent } from './payment-events.js';
import type { PaymentState } from './payment-state.js';
import { isCancellable, stageOf } from './payment-transitions.js';

type DataOf<Type extends PaymentEvent['type']> = Extract<PaymentEvent, { type: Type }>['data'];
type PaymentDecision = Decision<PaymentEvent>;

/** The data of a POST that was validated. `now` is the ISO instant from which the time to sign counts. */
export type Initiation = Omit<DataOf<'initiated'>, 'expiresAt'> & { readonly now: string };

/** A valid body becomes a payment (spec 3.1: RCVD). */
export const initiatePayment = ({ now, ...data }: Initiation, profile: Profile): PaymentEvent[] => [
  { type: 'initiated', data: { ...data, expiresAt: addSeconds(now, profile.authorisationSeconds) } },
];

/**
 * The TPP that initiated it cancels (spec 3.3). A retry with the same Idempotency-Key does nothing more. Refused with
 * resourceUnknown (another TPP's) or cancellationNotPossible.
 */
export function cancelPayment(
  state: PaymentState,
  { tppId, idempotencyKey }: { readonly tppId: string; readonly idempotencyKey?: string },
): PaymentDecision {
  if (tppId !== state.tppId) return refuse('resourceUnknown');
  const isRetry =
    state.status === 'CANC' && idempotencyKey !== undefined && state.cancelledWithKey === idempotencyKey;
  if (isRetry) return happened();
  if (!isCancellable(state.status, state.fundsAvailable)) return refuse('cancellationNotPossible');
  const data = { tppId, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
  return happened<PaymentEvent>({ type: 'cancelled', data });
}

// Settlement. Every step may come again after a crash: one that was taken already happens no more, and is not an error.

/** The debtor account cannot cover it on the day: ACCP with fundsAvailable=false, for good (spec 3.1). */
export function refuseFunds(
  state: PaymentState,
  { reason }: { readonly reason: FundsRefusalReason },
): PaymentDecision {
  const stage = stageOf(state);
  if (stage === 'unfunded') return happened();
  if (stage !== 'signed') return refuse('statusForbidsAuthorisation');
  return happened<PaymentEvent>({ type: 'funds-refused', data: { reason } });
}

/**
 * The funds are held: ACSP, a pending entry is in the history (spec 3.1). Refused when not signed, cancelled or unfunded:
 * then the hold must be released.
 */
export function startSettlement(
  state: PaymentState,
  {
    holdId,
    transactionId,
    now,
  }: { readonly holdId: string; readonly transactionId: string; readonly now: string },
  profile: Profile,
): PaymentDecision {
  const stage = stageOf(state);
  if (state.holdId !== undefined)
    return state.holdId === holdId ? happened() : refuse('statusForbidsAuthorisation');
  if (stage !== 'signed') return refuse('statusForbidsAuthorisation');
  const bookAt = addSeconds(now, profile.bookingDelaySeconds);
  return happened<PaymentEvent>({ type: 'settlement-started', data: { holdId, transactionId, bookAt } });
}

/** The hold is posted in the ledger: ACSC (spec 3.1). */
export function settlePayment(
  state: PaymentState,
  { postingId }: { readonly postingId: string },
): PaymentDecision {
  const stage = stageOf(state);
  if (stage === 'settled') return happened();
  if (stage !== 'settling') return refuse('statusForbidsAuthorisation');
  return happened<PaymentEvent>({ type: 'settled', data: { postingId } });
}

/** The entry moves from pending to booked, five minutes after it became pending (spec 8); the status stays. */
export function bookEntry(state: PaymentState): PaymentDecision {
  if (state.entryBooked) return happened();
  if (state.transactionId === undefined) return refuse('statusForbidsAuthorisation');
  return happened<PaymentEvent>({ type: 'entry-booked', data: { transactionId: state.transactionId } });
}
