import { type DebtorFacts, debtorAccountFailure } from '../account/debtor-account.js';
import { type Decision, happened, refuse } from '../decision.js';
import type { Profile } from '../profile/profile.js';
import { addSeconds, hasPassed } from '../time/bank-calendar.js';
import { executionOf } from './execution-day.js';
import type { FundsRefusalReason, PaymentEvent, RejectionReason } from './payment-events.js';
import type { PaymentState } from './payment-state.js';
import { isCancellable, stageOf } from './payment-transitions.js';

type DataOf<Type extends PaymentEvent['type']> = Extract<PaymentEvent, { type: Type }>['data'];
type PaymentDecision = Decision<PaymentEvent>;

/** What a validated POST brings; `now` starts the time to sign. */
export type Initiation = Omit<DataOf<'initiated'>, 'expiresAt'> & { readonly now: string };

/** A valid body becomes a payment (spec 3.1: RCVD). */
export const initiatePayment = ({ now, ...data }: Initiation, profile: Profile): PaymentEvent[] => [
  { type: 'initiated', data: { ...data, expiresAt: addSeconds(now, profile.authorisationSeconds) } },
];

const isUnsigned = (state: PaymentState): boolean => ['received', 'accepted'].includes(stageOf(state));

const rejected = (state: PaymentState, reason: RejectionReason, psuId?: string): PaymentEvent => {
  const { authorisationId } = state.authorisation;
  return { type: 'rejected', data: { authorisationId, reason, ...(psuId === undefined ? {} : { psuId }) } };
};

/** Another person than the one who was accepted. The link alone gives no right over a payment somebody else has taken up. */
const isTakenByAnother = ({ authorisation }: PaymentState, psuId: string): boolean =>
  authorisation.psuId !== undefined && authorisation.psuId !== psuId;

/**
 * The PSU is identified on the SCA page (contract 8: RCVD → ACCP). Not signed in time, another PSU than named, not the
 * owner, or an account that cannot be debited: rejected. Already accepted by the same PSU: nothing more happens.
 * Refused with resourceUnknown or statusForbidsAuthorisation.
 */
export function acceptPayment(
  state: PaymentState,
  input: {
    readonly authorisationId: string;
    readonly psuId: string;
    readonly debtor: DebtorFacts;
    readonly now: string;
  },
  profile: Profile,
): PaymentDecision {
  const { authorisationId, psuId, debtor, now } = input;
  if (authorisationId !== state.authorisation.authorisationId) return refuse('resourceUnknown');
  if (!isUnsigned(state)) return refuse('statusForbidsAuthorisation');
  if (hasPassed(state.expiresAt, now)) return happened(rejected(state, 'not-authorised-in-time', psuId));
  if (isTakenByAnother(state, psuId)) return refuse('statusForbidsAuthorisation');
  if (stageOf(state) === 'accepted') return happened();
  if (state.namedPsuId !== undefined && state.namedPsuId !== psuId) {
    return happened(rejected(state, 'not-the-named-psu', psuId));
  }
  if (!debtor.ownedByPsu) return happened(rejected(state, 'not-the-account-owner', psuId));
  if (debtorAccountFailure(debtor.account, state.order, profile) !== undefined) {
    return happened(rejected(state, 'debtor-account-unusable', psuId));
  }
  return happened<PaymentEvent>({ type: 'accepted', data: { authorisationId, psuId } });
}

/**
 * The PSU signs, once (contract 8: ACCP, due). Too late: rejected. Refused with resourceUnknown, or with
 * statusForbidsAuthorisation when it is not accepted, accepted by somebody else, or signed already.
 */
export function signPayment(
  state: PaymentState,
  {
    authorisationId,
    psuId,
    now,
  }: { readonly authorisationId: string; readonly psuId: string; readonly now: string },
  profile: Profile,
): PaymentDecision {
  if (authorisationId !== state.authorisation.authorisationId) return refuse('resourceUnknown');
  if (!isUnsigned(state)) return refuse('statusForbidsAuthorisation');
  if (hasPassed(state.expiresAt, now)) return happened(rejected(state, 'not-authorised-in-time', psuId));
  if (stageOf(state) !== 'accepted' || state.authorisation.psuId !== psuId)
    return refuse('statusForbidsAuthorisation');
  const execution = executionOf(state.requestedExecutionDate, now, profile);
  return happened<PaymentEvent>({
    type: 'signed',
    data: { authorisationId, psuId, signedAt: now, ...execution, order: state.order },
  });
}

/**
 * The PSU refuses or cancels, or SCA fails (contract 8: RJCT). Refused with resourceUnknown, or with
 * statusForbidsAuthorisation once signed or final, or when somebody else was accepted.
 */
export function rejectPayment(
  state: PaymentState,
  input: { readonly authorisationId: string; readonly reason: RejectionReason; readonly psuId?: string },
): PaymentDecision {
  if (input.authorisationId !== state.authorisation.authorisationId) return refuse('resourceUnknown');
  if (!isUnsigned(state)) return refuse('statusForbidsAuthorisation');
  if (input.psuId !== undefined && isTakenByAnother(state, input.psuId))
    return refuse('statusForbidsAuthorisation');
  return happened(rejected(state, input.reason, input.psuId));
}

/** Rejects what was not signed in time; anything else is left as it is. Never refused. */
export const expirePayment = (state: PaymentState, { now }: { readonly now: string }): PaymentDecision =>
  isUnsigned(state) && hasPassed(state.expiresAt, now)
    ? happened(rejected(state, 'not-authorised-in-time'))
    : happened();

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
