import type { Initiations } from '../bank/initiations.js';
import { addUp } from '../bulk-file/entry-checks.js';
import { amountFromMinor, minorUnits } from '../page/amounts.js';
import type { BankState } from '../page/parts.js';
import type { BasketItem, Session } from '../page/session.js';

/** Lists everything that this session can add to a basket and that is not in one, in the order of initiation. */
export const freeItems = ({ initiated }: Pick<Session, 'initiated'>): readonly BasketItem[] => {
  const all = [...initiated.values()];
  const taken = new Set(
    all.flatMap((one) => (one.kind === 'basket' && one.isDissolved !== true ? one.items : [])),
  );
  return all
    .filter((one): one is BasketItem => one.kind === 'payment' || one.kind === 'bulk')
    .filter((one) => !taken.has(one));
};

/** Returns the amount of a payment or a bulk, in minor units. */
const amountOf = (item: BasketItem): bigint =>
  item.kind === 'payment' ? minorUnits(item.amount) : addUp(item.entries);

/** Returns the total of the items. */
export const sumOf = (items: readonly BasketItem[]): string =>
  amountFromMinor(items.reduce((sum, item) => sum + amountOf(item), 0n));

/**
 * The maximum number of items whose status is read from the bank, latest first. Reading more would take too many
 * calls for one page.
 */
const maxAsked = 20;
/**
 * The maximum number of items in a basket (contract 10). No more are offered, because the user may choose all of
 * them.
 */
const maxOffered = 10;

/** Lists the free items that wait for a signature at the bank, or the latest of them if there are many. */
export const latestUnsigned = async (
  session: Pick<Session, 'initiated'>,
  bank: Pick<Initiations, 'readStatuses'>,
): Promise<readonly BasketItem[]> => {
  const items = freeItems(session).slice(-maxAsked);
  if (items.length === 0) return [];
  const states = await bank.readStatuses<BankState>(items);
  return items.filter((_item, index) => states[index]?.transactionStatus === 'RCVD').slice(-maxOffered);
};
