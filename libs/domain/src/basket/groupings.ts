import type { FailureName } from '../failure/failures.js';

/** Max number of baskets for an item in its life (contract 10). Each leaves events that are kept for ten years. */
const maxGroupings = 10;

/** The part of a payment or consent that records its baskets. */
interface Item {
  /** The basket that holds it. */
  readonly basketId?: string;
  /** The baskets that released it or ended before they took it. */
  readonly formerBasketIds?: readonly string[];
}

const isFormerBasket = ({ formerBasketIds = [] }: Item, basketId: string): boolean =>
  formerBasketIds.includes(basketId);

/** True if no basket can take it any more. */
export const isGroupedOut = ({ formerBasketIds = [] }: Item): boolean =>
  formerBasketIds.length >= maxGroupings;

/** Why a basket that does not yet hold the item cannot take it. */
export function groupingFailure(item: Item, basketId: string): FailureName | undefined {
  if (item.basketId !== undefined || isFormerBasket(item, basketId)) return 'resourceBlocked';
  return isGroupedOut(item) ? 'itemGroupedTooOften' : undefined;
}

/**
 * True if an undecided item must record the end of a basket: the basket holds the item, or a late request could still take it for the
 * basket. Recorded once per basket, and never in an item that no basket can take.
 */
export function isGivenBackBy(item: Item, basketId: string): boolean {
  if (item.basketId !== undefined) return item.basketId === basketId;
  return !isFormerBasket(item, basketId) && !isGroupedOut(item);
}
