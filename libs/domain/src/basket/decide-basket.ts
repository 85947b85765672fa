import { type Decision, happened, refuse } from '../decision.js';
import type { Failure } from '../failure/failures.js';
import { isOpenAuthorisation } from '../sca/authorisations.js';
import { addSeconds, hasPassed } from '../time/bank-calendar.js';
import type { BasketEvent } from './basket-events.js';
import type { BasketState } from './basket-state.js';
import { awaitsSignature, isCancellable } from './basket-transitions.js';

type BasketDecision = Decision<BasketEvent>;
type Opened = Extract<BasketEvent, { type: 'basket-opened' }>['data'];

/** The request that opens a basket creates it within this time, or never: nobody waits longer for its answer. */
const openingSeconds = 2;

/** A valid body becomes a basket that still has to take its items. `begunAt`: when its request came (ISO instant). */
export const openBasket = (data: Omit<Opened, 'abandonAt'>, begunAt: string): BasketEvent[] => [
  { type: 'basket-opened', data: { ...data, abandonAt: addSeconds(begunAt, openingSeconds) } },
];

/**
 * Every item is taken: RCVD, unless it comes too late. Then the basket is abandoned, also when the database forgot that it was
 * abandoned before. Never refused; one that is no longer being opened is left as it is.
 */
export const createBasket = (state: BasketState, { now }: { readonly now: string }): BasketDecision =>
  state.stage === 'opening' && !hasPassed(state.abandonAt, now)
    ? happened<BasketEvent>({ type: 'basket-created', data: {} })
    : abandonBasket(state, { failure: 'dependencyDown' });

/** An item could not be taken, or the time for it is over: its items become free. Never refused; one that was created stays. */
export const abandonBasket = (
  { stage }: BasketState,
  { failure, path }: Pick<Failure, 'failure' | 'path'>,
): BasketDecision => {
  if (stage !== 'opening') return happened();
  const data = { failure, ...(path === undefined ? {} : { path }) };
  return happened<BasketEvent>({ type: 'basket-abandoned', data });
};

/**
 * DELETE by the TPP before the first signature: CANC, and its items are free again (contract 10). A retry with the same
 * Idempotency-Key does nothing more. Refused with resourceUnknown (another TPP's) or cancellationNotPossible.
 */
export function cancelBasket(
  state: BasketState,
  { tppId, idempotencyKey }: { readonly tppId: string; readonly idempotencyKey?: string },
): BasketDecision {
  if (tppId !== state.tppId) return refuse('resourceUnknown');
  const isRetry =
    state.stage === 'cancelled' && idempotencyKey !== undefined && state.cancelledWithKey === idempotencyKey;
  if (isRetry) return happened();
  if (!isCancellable(state.stage)) return refuse('cancellationNotPossible');
  const data = { tppId, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
  return happened<BasketEvent>({ type: 'basket-cancelled', data });
}

/** Rejects what was not signed by all before the first item expired; anything else is left as it is. Never refused. */
export const expireBasket = (state: BasketState, { now }: { readonly now: string }): BasketDecision => {
  if (!awaitsSignature(state.stage) || !hasPassed(state.expiresAt, now)) return happened();
  const open = state.authorisations.filter(isOpenAuthorisation);
  const authorisationId = open.length === 1 ? open[0]?.authorisationId : undefined;
  return happened<BasketEvent>({
    type: 'basket-rejected',
    data: { reason: 'not-authorised-in-time', ...(authorisationId === undefined ? {} : { authorisationId }) },
  });
};

/** Every item was given what the basket became. Never refused; a repeat does nothing. */
export const recordItemsUpdated = ({ updatesItemsSince }: BasketState): BasketDecision =>
  updatesItemsSince === undefined
    ? happened()
    : happened<BasketEvent>({ type: 'basket-items-updated', data: {} });

/** Every item has reached its final status: ACSC. Never refused; before the items were given the signatures nothing happens. */
export const completeBasket = ({ stage, updatesItemsSince }: BasketState): BasketDecision =>
  stage === 'signed' && updatesItemsSince === undefined
    ? happened<BasketEvent>({ type: 'basket-completed', data: {} })
    : happened();
