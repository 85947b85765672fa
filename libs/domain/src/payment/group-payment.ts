import { groupingFailure, isGivenBackBy } from '../basket/groupings.js';
import { type Decision, happened, refuse } from '../decision.js';
import type { Profile } from '../profile/profile.js';
import { signedEvents } from './authorise-payment.js';
import type { PaymentEvent, RejectionReason } from './payment-events.js';
import type { PaymentState } from './payment-state.js';
import { isGroupedPayment } from './payment-transitions.js';

type PaymentDecision = Decision<PaymentEvent>;

/** A person's signature of a basket, which counts for this payment too. */
interface Signature {
  readonly authorisationId: string;
  readonly psuId: string;
  /** ISO instant. */
  readonly signedAt: string;
}

/**
 * A basket takes the payment (contract 10); one that it has already stays in it. Of two baskets the first one gets it. Refused
 * with itemUnknown (another TPP's), itemNotGroupable (an order), itemStatusWrong (not RCVD), resourceBlocked (in another basket, or
 * never again in this one) or itemGroupedTooOften.
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
 * The basket gives the payment back, or ended before it had taken it: a request that is late, of an instance that stood still or of
 * a repeat, cannot take it for that basket any more. Never refused; a repeat does nothing, and one that is decided or in another
 * basket is left as it is.
 */
export function ungroupPayment(
  state: PaymentState,
  { basketId }: { readonly basketId: string },
): PaymentDecision {
  if (state.status !== 'RCVD' || !isGivenBackBy(state, basketId)) return happened();
  return happened<PaymentEvent>({ type: 'ungrouped', data: { basketId } });
}

/**
 * Every signer of the basket has signed: as many of the signatures as this payment needs become its own, and it is due as if it
 * had been signed alone at that moment. Never refused; one that has them, or is not in the basket, is left as it is.
 */
export function signGroupedPayment(
  state: PaymentState,
  { basketId, signatures }: { readonly basketId: string; readonly signatures: readonly Signature[] },
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
    const signed = signedEvents(state, { authorisationId, psuId, signedAt }, profile);
    const accepted: PaymentEvent = { type: 'accepted', data: { authorisationId, psuId } };
    return needed.length === 1 ? [started, accepted, ...signed] : [started, ...signed];
  });
  return happened(...events);
}

/** The basket is rejected, and so is every item. Never refused; one that is not in it is left as it is. */
export const rejectGroupedPayment = (
  state: PaymentState,
  { basketId, reason }: { readonly basketId: string; readonly reason: RejectionReason },
): PaymentDecision =>
  isIn(state, basketId) ? happened<PaymentEvent>({ type: 'rejected', data: { reason } }) : happened();
