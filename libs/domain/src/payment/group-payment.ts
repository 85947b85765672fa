import { groupingFailure, isGivenBackBy } from '../basket/groupings.js';
import { type Decision, happened, refuse } from '../decision.js';
import type { Profile } from '../profile/profile.js';
import { type GivenSignature, signedEvents } from './authorise-payment.js';
import type { PaymentEvent, RejectionReason } from './payment-events.js';
import type { PaymentState } from './payment-state.js';
import { isGroupedPayment } from './payment-transitions.js';

type PaymentDecision = Decision<PaymentEvent>;

/**
 * A basket claims the payment (contract 10); a repeat changes nothing. If two baskets compete, the first one
 * claims it. Fails with itemUnknown (belongs to another TPP), itemNotGroupable (a periodic order), itemStatusWrong
 * (not RCVD), resourceBlocked (in another basket, or already released by this one) or itemGroupedTooOften.
 */
export function groupPayment(
  state: PaymentState,
  { basketId, tppId }: { readonly basketId: string; readonly tppId: string },
): PaymentDecision {
  if (state.tppId !== tppId) return refuse('itemUnknown');
  if (state.service === 'periodic-payments') return refuse('itemNotGroupable');
  if (state.status !== 'RCVD') return refuse('itemStatusWrong');
  if (state.basketId === basketId) return happened();
  const failure = groupingFailure(state, basketId);
  if (failure !== undefined) return refuse(failure);
  return happened<PaymentEvent>({ type: 'grouped', data: { basketId } });
}

const isIn = (state: PaymentState, basketId: string): boolean =>
  state.basketId === basketId && isGroupedPayment(state);

/**
 * The basket releases the payment, or has ended before claiming it. After that, a late request (from a stalled
 * instance or a retry) can no longer claim the payment for that basket. Never fails; a repeat changes nothing, and
 * a payment that is decided or in another basket stays unchanged.
 */
export function ungroupPayment(
  state: PaymentState,
  { basketId }: { readonly basketId: string },
): PaymentDecision {
  if (state.status !== 'RCVD' || !isGivenBackBy(state, basketId)) return happened();
  return happened<PaymentEvent>({ type: 'ungrouped', data: { basketId } });
}

/**
 * All signers of the basket have signed. The payment receives as many signatures as it needs, and becomes due as
 * if it had been signed individually at that moment. `signatures` are those on the basket, which count for its items.
 * Never fails; a payment that already has the signatures or is outside the basket stays unchanged.
 */
export function signGroupedPayment(
  state: PaymentState,
  {
    basketId,
    signatures,
    clockOffsetMs,
  }: {
    readonly basketId: string;
    readonly signatures: readonly GivenSignature[];
    /** How far the bank's clock was ahead of real time at the last signature, in milliseconds; 0 if absent. */
    readonly clockOffsetMs?: number;
  },
  profile: Profile,
): PaymentDecision {
  if (!isIn(state, basketId)) return happened();
  const needed = signatures.slice(0, state.signaturesRequired);
  const signedAt = signatures
    .map((one) => one.signedAt)
    .sort()
    .at(-1);
  if (signedAt === undefined || needed.length < state.signaturesRequired) return happened();
  const events = needed.flatMap((signature, index): PaymentEvent[] => {
    const { authorisationId, psuId } = signature;
    const started: PaymentEvent = { type: 'authorisation-started', data: { authorisationId, psuId } };
    if (index < needed.length - 1) return [started, { type: 'partly-signed', data: signature }];
    const signed = signedEvents(state, { ...signature, signedAt }, profile, clockOffsetMs);
    const accepted: PaymentEvent = { type: 'accepted', data: { authorisationId, psuId } };
    return needed.length === 1 ? [started, accepted, ...signed] : [started, ...signed];
  });
  return happened(...events);
}

/**
 * The basket has been rejected together with all its items. Never fails; a payment outside the basket stays
 * unchanged.
 */
export const rejectGroupedPayment = (
  state: PaymentState,
  { basketId, reason }: { readonly basketId: string; readonly reason: RejectionReason },
): PaymentDecision =>
  isIn(state, basketId) ? happened<PaymentEvent>({ type: 'rejected', data: { reason } }) : happened();
