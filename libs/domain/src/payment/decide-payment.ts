import { type Decision, happened, refuse } from '../decision.js';
import type { Profile } from '../profile/profile.js';
import { addSeconds } from '../time/bank-calendar.js';
import type { FundsRefusalReason, PaymentEvent } from './payment-events.js';
import type { PaymentState, SinglePayment } from './payment-state.js';
import { isCancellable, isGroupedPayment, deriveStage } from './payment-transitions.js';

type DataOf<Type extends PaymentEvent['type']> = Extract<PaymentEvent, { type: Type }>['data'];
type PaymentDecision = Decision<PaymentEvent>;

/** The data of a POST that was validated, and the event type of its payment service. */
export type Initiation = {
  [Type in 'initiated' | 'order-initiated' | 'bulk-initiated']: {
    readonly type: Type;
    readonly data: Omit<DataOf<Type>, 'expiresAt'>;
  };
}['initiated' | 'order-initiated' | 'bulk-initiated'];

/** A valid body becomes a payment initiation (spec 3.1: RCVD). `now` is the ISO instant from which the time to sign counts. */
export const decideInitiation = (
  { type, data }: Initiation,
  now: string,
  profile: Profile,
): PaymentEvent[] => [
  { type, data: { ...data, expiresAt: addSeconds(now, profile.authorisationSeconds) } } as PaymentEvent,
];

/**
 * The TPP that initiated it cancels (spec 3.3). A retry with the same Idempotency-Key does nothing more. Refused with
 * resourceUnknown (another TPP's), resourceBlocked (in a basket) or cancellationNotPossible.
 */
export function cancelPayment(
  state: PaymentState,
  { tppId, idempotencyKey }: { readonly tppId: string; readonly idempotencyKey?: string },
): PaymentDecision {
  if (tppId !== state.tppId) return refuse('resourceUnknown');
  const isRetry =
    state.status === 'CANC' && idempotencyKey !== undefined && state.cancelledWithKey === idempotencyKey;
  if (isRetry) return happened();
  if (isGroupedPayment(state)) return refuse('resourceBlocked');
  if (!isCancellable(state)) return refuse('cancellationNotPossible');
  const data = { tppId, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
  return happened<PaymentEvent>({ type: 'cancelled', data });
}

// Settlement of a single payment. Every step may come again after a crash: one that was taken already happens no more, and is not an error.
// Which failure refuses a step does not matter: the settlement worker is answered that it was not recorded.

/** The debtor account cannot cover it on the day: ACCP with fundsAvailable=false, for good (spec 3.1). */
export function refuseFunds(
  state: SinglePayment,
  { reason }: { readonly reason: FundsRefusalReason },
): PaymentDecision {
  const stage = deriveStage(state);
  if (stage === 'unfunded') return happened();
  if (stage !== 'signed') return refuse('statusForbidsAuthorisation');
  return happened<PaymentEvent>({ type: 'funds-refused', data: { reason } });
}

/**
 * The funds are held: ACSP, a pending entry is in the history (spec 3.1). Refused when not signed, cancelled or unfunded:
 * then the hold must be released.
 */
export function startSettlement(
  state: SinglePayment,
  {
    holdId,
    transactionId,
    now,
  }: { readonly holdId: string; readonly transactionId: string; readonly now: string },
  profile: Profile,
): PaymentDecision {
  const stage = deriveStage(state);
  if (state.holdId !== undefined)
    return state.holdId === holdId ? happened() : refuse('statusForbidsAuthorisation');
  if (stage !== 'signed') return refuse('statusForbidsAuthorisation');
  const bookAt = addSeconds(now, profile.bookingDelaySeconds);
  return happened<PaymentEvent>({ type: 'settlement-started', data: { holdId, transactionId, bookAt } });
}

/** The hold is posted in the ledger: ACSC (spec 3.1). */
export function settlePayment(
  state: SinglePayment,
  { postingId }: { readonly postingId: string },
): PaymentDecision {
  const stage = deriveStage(state);
  if (stage === 'settled') return happened();
  if (stage !== 'settling') return refuse('statusForbidsAuthorisation');
  return happened<PaymentEvent>({ type: 'settled', data: { postingId } });
}

/** The entry moves from pending to booked, five minutes after it became pending (spec 8); the status stays. */
export function bookEntry(state: SinglePayment): PaymentDecision {
  if (state.entryBooked) return happened();
  if (state.transactionId === undefined) return refuse('statusForbidsAuthorisation');
  return happened<PaymentEvent>({ type: 'entry-booked', data: { transactionId: state.transactionId } });
}
