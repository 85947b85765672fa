import type { DuePayment } from '@xs2a/domain/payment/settlement/due';

/**
 * The payments that one pass has received, each once. They are taken either in turn, in the order in which they
 * are due, or ahead of their turn, so that an account does not wait behind overdue payments of others.
 *
 * A payment ahead of its turn is settled if it is covered. If not, it waits for its turn, because an earlier
 * payment may pay into its account. Only the oldest payment of an account is taken ahead of its turn, so that none
 * spends money that an older one is waiting for.
 */
export class TakenPayments {
  private readonly taken = new Set<string>();
  private readonly ahead = new Set<string>();

  /** Returns the payments that were not taken before; all given payments are now in turn. */
  inTurn(payments: readonly DuePayment[]): readonly DuePayment[] {
    for (const { paymentId } of payments) this.ahead.delete(paymentId);
    return this.take(payments);
  }

  /** Returns the first payment of each debtor account if it was not taken before. */
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

  /** Called when the payment is not covered ahead of its turn, so that it is taken again when its turn comes. */
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
