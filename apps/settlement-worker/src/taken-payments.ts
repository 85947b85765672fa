import type { DuePayment } from '@xs2a/domain/payment/settlement/due';

/**
 * The payments that one pass was given, each once: in their turn, in the order in which they are due, or ahead of it, so that an
 * account does not wait behind overdue payments of others.
 *
 * Ahead of its turn a payment is settled if it is covered. If it is not, it waits for its turn: an earlier payment may pay into its
 * account. Only the oldest of an account is taken ahead, so that none spends what an older one waits for.
 */
export class TakenPayments {
  private readonly taken = new Set<string>();
  private readonly ahead = new Set<string>();

  /** Those that were not taken before; all of them have their turn now. */
  inTurn(payments: readonly DuePayment[]): readonly DuePayment[] {
    for (const { paymentId } of payments) this.ahead.delete(paymentId);
    return this.take(payments);
  }

  /** The first of each debtor account, if it was not taken before. */
  aheadOfTurn(payments: readonly DuePayment[]): readonly DuePayment[] {
    const first = new Map<string, DuePayment>();
    for (const payment of payments)
      if (!first.has(payment.order.debtorIban)) first.set(payment.order.debtorIban, payment);
    const fresh = this.take([...first.values()]);
    for (const { paymentId } of fresh) this.ahead.add(paymentId);
    return fresh;
  }

  isAhead(paymentId: string): boolean {
    return this.ahead.has(paymentId);
  }

  /** It is not covered ahead of its turn, and is taken again in it. */
  leaveForItsTurn(paymentId: string): void {
    this.ahead.delete(paymentId);
    this.taken.delete(paymentId);
  }

  private take(payments: readonly DuePayment[]): readonly DuePayment[] {
    const fresh = payments.filter(({ paymentId }) => !this.taken.has(paymentId));
    for (const { paymentId } of fresh) this.taken.add(paymentId);
    return fresh;
  }
}
