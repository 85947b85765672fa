import type { FailureName } from '../failure/failures.js';

/**
 * Max number of baskets in the lifetime of an item (contract 10). Each basket leaves events that are kept for ten
 * years.
 */
const maxGroupings = 10;

/** The members of a payment or consent that record its baskets. */
interface Item {
  /** The basket that holds it. */
  readonly basketId?: string;
  /** The baskets that released it or ended before they claimed it. */
  readonly formerBasketIds?: readonly string[];
}

const isFormerBasket = ({ formerBasketIds = [] }: Item, basketId: string): boolean =>
  formerBasketIds.includes(basketId);

/** True if no further basket can claim it. */
export const isGroupedOut = ({ formerBasketIds = [] }: Item): boolean =>
  formerBasketIds.length >= maxGroupings;

/** Why a basket that does not yet hold the item cannot claim it. */
export function groupingFailure(item: Item, basketId: string): FailureName | undefined {
  if (item.basketId !== undefined || isFormerBasket(item, basketId)) return 'resourceBlocked';
  return isGroupedOut(item) ? 'itemGroupedTooOften' : undefined;
}

/**
 * True if an undecided item must record the end of a basket, because the basket holds the item or could still
 * claim it with a late request. Recorded once per basket, and never for an item that no basket can claim.
 */
export function isGivenBackBy(item: Item, basketId: string): boolean {
  if (item.basketId !== undefined) return item.basketId === basketId;
  return !isFormerBasket(item, basketId) && !isGroupedOut(item);
}
