import type { FailureName } from '../failure/failures.js';

/**
 * Maximum number of baskets over the lifetime of an item (contract 10). Each basket adds events that are kept for
 * ten years.
 */
const maxGroupings = 10;

/** The members of a payment or consent that record its baskets. */
interface Item {
  /** The basket that has claimed the item. */
  readonly basketId?: string;
  /** The baskets that released the item or ended before they claimed it. */
  readonly formerBasketIds?: readonly string[];
}

const isFormerBasket = ({ formerBasketIds = [] }: Item, basketId: string): boolean =>
  formerBasketIds.includes(basketId);

/** True if the item has been in the maximum number of baskets, so that no further basket can claim it. */
export const isGroupedOut = ({ formerBasketIds = [] }: Item): boolean =>
  formerBasketIds.length >= maxGroupings;

/** Returns why a basket cannot claim an item that it has not yet claimed. */
export function groupingFailure(item: Item, basketId: string): FailureName | undefined {
  if (item.basketId !== undefined || isFormerBasket(item, basketId)) return 'resourceBlocked';
  return isGroupedOut(item) ? 'itemGroupedTooOften' : undefined;
}

/**
 * True if an undecided item must record the end of a basket, because the basket has claimed the item or could
 * still claim it with a late request. The end is recorded once per basket, and never for an item that no basket
 * can claim any more.
 */
export function isGivenBackBy(item: Item, basketId: string): boolean {
  if (item.basketId !== undefined) return item.basketId === basketId;
  return !isFormerBasket(item, basketId) && !isGroupedOut(item);
}
