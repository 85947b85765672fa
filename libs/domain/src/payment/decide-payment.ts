import { type Decision, happened, refuse } from '../decision.js';
import type { Profile } from '../profile/profile.js';
import { addSeconds } from '../time/bank-calendar.js';
import { isInstant } from './instant/instant-payments.js';
import type { FundsRefusalReason, PaymentEvent } from './payment-events.js';
import type { PaymentState, SinglePayment } from './payment-state.js';
import { isCancellable, isGroupedPayment, deriveStage } from './payment-transitions.js';

type DataOf<Type extends PaymentEvent['type']> = Extract<PaymentEvent, { type: Type }>['data'];
type PaymentDecision = Decision<PaymentEvent>;

/** The validated data of a POST, with the event type of its payment service. */
export type Initiation = {
  [Type in 'initiated' | 'order-initiated' | 'bulk-initiated']: {
    readonly type: Type;
    readonly data: Omit<DataOf<Type>, 'expiresAt'>;
  };
}['initiated' | 'order-initiated' | 'bulk-initiated'];

/** Creates a payment initiation from a valid body (spec 3.1: RCVD). The time to sign starts at `now` (ISO instant). */
export const decideInitiation = (
  { type, data }: Initiation,
  now: string,
  profile: Profile,
): PaymentEvent[] => [
  { type, data: { ...data, expiresAt: addSeconds(now, profile.authorisationSeconds) } } as PaymentEvent,
];

/**
 * The initiating TPP cancels the payment (spec 3.3); `now` is an ISO instant. A retry with the same Idempotency-Key
 * changes nothing. Fails with resourceUnknown (the payment belongs to another TPP), resourceBlocked (in a basket) or
 * cancellationNotPossible, also for an instant payment whose time has come.
 */
export function cancelPayment(
  state: PaymentState,
  {
    tppId,
    idempotencyKey,
    now,
  }: { readonly tppId: string; readonly idempotencyKey?: string; readonly now: string },
): PaymentDecision {
  if (tppId !== state.tppId) return refuse('resourceUnknown');
  const isRetry =
    state.status === 'CANC' && idempotencyKey !== undefined && state.cancelledWithKey === idempotencyKey;
  if (isRetry) return happened();
  if (isGroupedPayment(state)) return refuse('resourceBlocked');
  if (!isCancellable(state) || isInstantDue(state, now)) return refuse('cancellationNotPossible');
  const data = { tppId, idempotencyKey };
  return happened<PaymentEvent>({ type: 'cancelled', data });
}

/** True from the moment at which a signed instant payment is executed. */
const isInstantDue = (state: PaymentState, now: string): boolean =>
  isInstant(state) && state.signed !== undefined && state.signed.dueAt <= now;

/**
 * A signer stops a periodic order (contract 12): no occurrence that has not begun is executed. A repeat by the same
 * PSU changes nothing. Fails with resourceUnknown (not a periodic order, or not signed by this PSU) or
 * cancellationNotPossible.
 */
export function stopOrder(state: PaymentState, psuId: string): PaymentDecision {
  const hasSigned = state.authorisations.some((one) => one.psuId === psuId && one.signedAt !== undefined);
  if (state.service !== 'periodic-payments' || !hasSigned) return refuse('resourceUnknown');
  if (state.stoppedBy === psuId) return happened();
  if (!isCancellable(state)) return refuse('cancellationNotPossible');
  return happened<PaymentEvent>({ type: 'cancelled', data: { tppId: state.tppId, psuId } });
}

// Settlement of a single payment. Every step may be repeated after a crash: a repeated step changes nothing
// and is not an error. If a step is refused, the kind of failure does not matter, because the settlement
// worker only learns that the step was not recorded.

/**
 * The debtor account has insufficient funds on the execution day: the final state is ACCP with
 * fundsAvailable=false (spec 3.1).
 */
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
 * The funds have been held: the status becomes ACSP, and a pending entry appears in the history (spec 3.1). Fails
 * if the payment is unsigned, cancelled or unfunded; the caller must then release the hold.
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

/** The hold has been posted to the ledger: the status becomes ACSC (spec 3.1). */
export function settlePayment(
  state: SinglePayment,
  { postingId }: { readonly postingId: string },
): PaymentDecision {
  const stage = deriveStage(state);
  if (stage === 'settled') return happened();
  if (stage !== 'settling') return refuse('statusForbidsAuthorisation');
  return happened<PaymentEvent>({ type: 'settled', data: { postingId } });
}

/**
 * The entry changes from pending to booked five minutes after it became pending (spec 8); the status does not
 * change.
 */
export function bookEntry(state: SinglePayment): PaymentDecision {
  if (state.entryBooked) return happened();
  if (state.transactionId === undefined) return refuse('statusForbidsAuthorisation');
  return happened<PaymentEvent>({ type: 'entry-booked', data: { transactionId: state.transactionId } });
}
