import { maxEntriesTogether, type BasketPaymentSummary } from '@xs2a/contracts/baskets.contract';

type Sized = Pick<BasketPaymentSummary, 'numberOfPayments'>;

export const countEntries = (payments: readonly Sized[]): number =>
  payments.reduce((sum, { numberOfPayments }) => sum + numberOfPayments, 0);

/** Groups payments, in order, into pages of at most 250 entries. */
export const groupIntoPages = <Payment extends Sized>(
  payments: readonly Payment[],
): readonly (readonly Payment[])[] => {
  const pages: Payment[][] = [];
  for (const payment of payments) {
    const page = pages.at(-1);
    if (page === undefined || countEntries([...page, payment]) > maxEntriesTogether) pages.push([payment]);
    else page.push(payment);
  }
  return pages;
};
