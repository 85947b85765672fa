import type { DuePayment } from './due.js';

/** False for the booking of an entry, which moves no money and therefore does not depend on other payments. */
const movesMoney = ({ transactionStatus }: DuePayment): boolean => transactionStatus !== 'ACSC';

/**
 * Divides due payments, in order, into those that can be settled concurrently now and those that have to wait, so
 * that the result is the same as settling them one by one. A payment waits if an earlier one
 * - credits the account that it debits, because the credited money must be available to it;
 * - debits the account that it credits, because its money must not be available to the earlier payment;
 * - debits the same account and itself has to wait.
 * Payments from one account that do not wait are settled in order ({@link splitByDebtor}).
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
 * Determines which payments may proceed within a pass. An overdue order returns one occurrence at a time, and
 * within a debtor account the oldest payment comes first (contract 9), so a payment waits for earlier occurrences
 * from its account. An occurrence also waits for earlier occurrences that credit its account, because it may need
 * their money, and for earlier ones from the account that it credits. Single payments and bulk payments never wait
 * for orders of other accounts.
 */
export class Turns {
  /** The earliest due time of a next occurrence, for each debited and each credited account. */
  private readonly nextFrom = new Map<string, string>();
  private readonly nextTo = new Map<string, string>();

  /** `until`: the ISO instant before which no waiting payment, and no occurrence that one waits for, is due. */
  constructor(public until: string) {}

  /** Returns the payments that may proceed, given all earlier payments of the pass. */
  of(payments: readonly DuePayment[]): readonly DuePayment[] {
    for (const { order, followedAt } of payments) {
      if (followedAt === undefined) continue;
      setEarlier(this.nextFrom, order.debtorIban, followedAt);
      setEarlier(this.nextTo, order.creditorAccount, followedAt);
      if (followedAt < this.until) this.until = followedAt;
    }
    return this.nextFrom.size === 0 ? payments : payments.filter((payment) => this.hasTurn(payment));
  }

  /**
   * True if the payment may proceed. A payment that has to wait also delays later ones of its account, because the
   * oldest payment of an account comes first.
   */
  private hasTurn(payment: DuePayment): boolean {
    if (this.isOpen(payment)) return true;
    setEarlier(this.nextFrom, payment.order.debtorIban, payment.dueAt);
    return false;
  }

  private isOpen(payment: DuePayment): boolean {
    if (!movesMoney(payment)) return true;
    const { debtorIban: debtor, creditorAccount: creditor } = payment.order;
    const others =
      payment.isOccurrence === true ? [this.nextTo.get(debtor), this.nextFrom.get(creditor)] : [];
    return [this.nextFrom.get(debtor), ...others].every(
      (next) => next === undefined || payment.dueAt <= next,
    );
  }
}

const setEarlier = (times: Map<string, string>, account: string, time: string): void => {
  const known = times.get(account);
  if (known === undefined || time < known) times.set(account, time);
};

/** Splits payments into lists of about equal length. The payments from one account stay in order in the same list. */
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
