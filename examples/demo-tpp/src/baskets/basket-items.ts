import { amountFromMinor, minorUnits } from '../page/amounts.js';
import { bulkKind } from '../bulk/bulk-payments.js';
import { addUp } from '../bulk/entry-checks.js';
import type { BasketItem, KnownBulk, KnownPayment, Session } from '../page/sessions.js';

const ofPayment = (id: string, { bankPath, resourceId, ...known }: KnownPayment): BasketItem => ({
  id,
  resourceId,
  ownPath: `/payments/${id}`,
  statusPath: `${bankPath}/${resourceId}/status`,
  pays: { payee: known.creditorName },
  amount: known.amount,
  currency: known.currency,
});

const ofBulk = (id: string, { resourceId, entries }: KnownBulk): BasketItem => ({
  id,
  resourceId,
  ownPath: `/bulks/${id}`,
  statusPath: `${bulkKind.bankPath}/${resourceId}/status`,
  pays: { payments: entries.length },
  amount: amountFromMinor(addUp(entries)),
  currency: 'BGN',
});

/** Everything that this session can put into a basket and that is not in one: payments, then bulks. */
export const freeItems = ({ payments, bulks, baskets }: Session): readonly BasketItem[] => {
  const taken = new Set(
    [...baskets.values()]
      .filter(({ isDissolved }) => isDissolved !== true)
      .flatMap(({ items }) => items.map(({ id }) => id)),
  );
  return [
    ...[...payments].map(([id, known]) => ofPayment(id, known)),
    ...[...bulks].map(([id, known]) => ofBulk(id, known)),
  ].filter(({ id }) => !taken.has(id));
};

/** The sums of the items, one for each currency. */
export const addSums = (
  items: readonly Pick<BasketItem, 'amount' | 'currency'>[],
): readonly { readonly amount: string; readonly currency: string }[] =>
  [...Map.groupBy(items, ({ currency }) => currency)].map(([currency, all]) => ({
    amount: amountFromMinor(all.reduce((sum, { amount }) => sum + minorUnits(amount), 0n)),
    currency,
  }));
