import type { DuePayment } from './due.js';

/** A booking moves no money: it depends on no other payment. */
const movesMoney = ({ transactionStatus }: DuePayment): boolean => transactionStatus !== 'ACSC';

/**
 * Divides due payments, given in order, into those that can be settled now, at the same time, and those that have to
 * wait, so that each decides as if all had been settled one after the other. A payment waits while an earlier one
 * - pays into the account from which it pays: that money counts;
 * - pays from the account into which it pays: its own money must not count there;
 * - pays from the same account, and waits itself.
 * Payments from one account that do not wait are settled in their order ({@link splitByDebtor}).
 */
export const planSettlement = (
  payments: readonly DuePayment[],
): { readonly ready: readonly DuePayment[]; readonly waiting: readonly DuePayment[] } => {
  const ready: DuePayment[] = [];
  const waiting: DuePayment[] = [];
  const debited = new Set<string>();
  const credited = new Set<string>();
  const held = new Set<string>();
  for (const payment of payments) {
    if (!movesMoney(payment)) {
      ready.push(payment);
      continue;
    }
    const { debtorIban: debtor, creditorAccount: creditor } = payment.order;
    const waits = credited.has(debtor) || debited.has(creditor) || held.has(debtor);
    (waits ? waiting : ready).push(payment);
    if (waits) held.add(debtor);
    debited.add(debtor);
    credited.add(creditor);
  }
  return { ready, waiting };
};

/**
 * The time up to which payments may be settled together: `until`, or when the next occurrence of an order among them is due. An
 * overdue order tells one occurrence at a time; so the oldest decide first, whoever's they are (contract 9).
 */
export const untilNextOccurrence = (payments: readonly DuePayment[], until: string): string =>
  payments.reduce(
    (earliest, { followedAt }) => (followedAt !== undefined && followedAt < earliest ? followedAt : earliest),
    until,
  );

/** Shares payments among lists of about the same length; those from one account keep their order in one list. */
export const splitByDebtor = (payments: readonly DuePayment[], count: number): DuePayment[][] => {
  const groups = Map.groupBy(payments, (payment) =>
    movesMoney(payment) ? payment.order.debtorIban : payment.paymentId,
  );
  const lists = Array.from({ length: count }, (): DuePayment[] => []);
  for (const group of groups.values()) {
    lists.reduce((one, other) => (other.length < one.length ? other : one)).push(...group);
  }
  return lists.filter((lane) => lane.length > 0);
};
