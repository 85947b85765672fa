import { type Decision, happened, refuse } from '../decision.js';
import type { Failure } from '../failure/failures.js';
import { addSeconds, hasPassed } from '../time/bank-calendar.js';
import type { BasketEvent } from './basket-events.js';
import type { BasketState } from './basket-state.js';
import { isCancellable } from './basket-transitions.js';

type BasketDecision = Decision<BasketEvent>;
type Opened = Extract<BasketEvent, { type: 'basket-opened' }>['data'];

/**
 * The time in seconds within which a request must create the basket that it opened; this limits how long the
 * caller waits.
 */
const openingSeconds = 2;

/**
 * Opens a basket from a valid body; the items are claimed afterwards. `begunAt`: when the request arrived (ISO
 * instant).
 */
export const openBasket = (data: Omit<Opened, 'abandonAt'>, begunAt: string): BasketEvent[] => [
  { type: 'basket-opened', data: { ...data, abandonAt: addSeconds(begunAt, openingSeconds) } },
];

/**
 * Creates the basket (RCVD) once every item is claimed. Abandons it if the time is up, even if the database lost
 * an earlier abandonment. Never fails; a basket that is no longer open stays unchanged.
 */
export const createBasket = (state: BasketState, { now }: { readonly now: string }): BasketDecision =>
  state.stage === 'opening' && !hasPassed(state.abandonAt, now)
    ? happened<BasketEvent>({ type: 'basket-created', data: {} })
    : abandonBasket(state, { failure: 'dependencyDown' });

/**
 * Abandons the basket, and so releases its items, if an item cannot be claimed or the time is up. Never fails; a
 * created basket stays unchanged.
 */
export const abandonBasket = (
  { stage }: BasketState,
  { failure, path }: Pick<Failure, 'failure' | 'path'>,
): BasketDecision => {
  if (stage !== 'opening') return happened();
  const data = { failure, path };
  return happened<BasketEvent>({ type: 'basket-abandoned', data });
};

/**
 * The TPP deletes the basket before the first signature: the status becomes CANC and the items are released
 * (contract 10). A retry with the same Idempotency-Key changes nothing. Fails with resourceUnknown (the basket
 * belongs to another TPP) or cancellationNotPossible.
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
  const data = { tppId, idempotencyKey };
  return happened<BasketEvent>({ type: 'basket-cancelled', data });
}

/** Records that the result of the basket has been passed to every item. Never fails; a repeat changes nothing. */
export const recordItemsUpdated = ({ updatesItemsSince }: BasketState): BasketDecision =>
  updatesItemsSince === undefined
    ? happened()
    : happened<BasketEvent>({ type: 'basket-items-updated', data: {} });

/**
 * Completes the basket (ACSC) when every item is final. Never fails; changes nothing until the items have received
 * the signatures.
 */
export const completeBasket = ({ stage, updatesItemsSince }: BasketState): BasketDecision =>
  stage === 'signed' && updatesItemsSince === undefined
    ? happened<BasketEvent>({ type: 'basket-completed', data: {} })
    : happened();
