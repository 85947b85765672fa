import type { FailureName } from '../failure/failures.js';

/** An item can be in so many baskets in its life (contract 10). Each leaves events that are kept for ten years. */
const maxGroupings = 10;

/** The part of a payment or consent that says in which baskets it is and was. */
interface Item {
  /** The basket that it is in. */
  readonly basketId?: string;
  /** The baskets that gave it back, and those that ended before they had taken it. */
  readonly formerBasketIds?: readonly string[];
}

const isFormerBasket = ({ formerBasketIds = [] }: Item, basketId: string): boolean =>
  formerBasketIds.includes(basketId);

/** True if no basket can take it any more. */
export const isGroupedOut = ({ formerBasketIds = [] }: Item): boolean =>
  formerBasketIds.length >= maxGroupings;

/** Why a basket that has not taken the item cannot take it. */
export function groupingFailure(item: Item, basketId: string): FailureName | undefined {
  if (item.basketId !== undefined || isFormerBasket(item, basketId)) return 'resourceBlocked';
  return isGroupedOut(item) ? 'itemGroupedTooOften' : undefined;
}

/**
 * True if the end of a basket is to be noted in an item that awaits its signature: the basket has the item, or could take it by a
 * request that comes late. It happens once for each basket, and never in an item that no basket can take.
 */
export function isGivenBackBy(item: Item, basketId: string): boolean {
  if (item.basketId !== undefined) return item.basketId === basketId;
  return !isFormerBasket(item, basketId) && !isGroupedOut(item);
}
