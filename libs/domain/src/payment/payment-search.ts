import type { PaymentOrder } from './payment-events.js';

/** What an operator knows about a payment and only its encrypted data can confirm. All given values must match. */
export interface OrderSearch {
  /** The last four characters of the debtor's or the creditor's account, in any case. */
  readonly lastFour?: string;
  /** A part of the creditor's name, in any case. */
  readonly payee?: string;
  readonly endToEndId?: string;
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

const matches = (order: PaymentOrder, { lastFour, payee, endToEndId }: OrderSearch): boolean => {
  const accounts = [order.debtorIban, order.creditorAccount].map((account) => folded(account.slice(-4)));
  return (
    (lastFour === undefined || accounts.includes(folded(lastFour))) &&
    (payee === undefined || folded(order.creditorName).includes(folded(payee))) &&
    (endToEndId === undefined || order.endToEndId === endToEndId)
  );
};

/** True if one of a payment's orders matches everything that is given. */
export const matchesSearch = (orders: readonly PaymentOrder[], search: OrderSearch): boolean =>
  orders.some((order) => matches(order, search));
