import type { TransactionRef } from '@xs2a/contracts/payments.contract';
import { type DuePayment, isDueBefore } from '@xs2a/domain/payment/settlement/due';
import { OutOfStep, retryAfterSeconds, toReason } from './retry.js';
import type { Unfinished, UnfinishedTable } from './unfinished-table.js';

/**
 * The payments that an earlier pass has started or failed to settle, and how they affect others:
 *
 * - A payment that failed is postponed, for longer after each failure, and is not retried until then. It delays no
 * other payment, with two exceptions:
 * - Entries of a bulk payment settle in order (contract 9): those after a postponed entry wait for it.
 * - A payment that lacks funds is not refused while an earlier one that will be retried may pay into its account.
 */
export class PostponedPayments {
  private unfinished = new Map<string, Unfinished>();
  /** Failed payments that may still pay into an account, by id. */
  private readonly mayPayIn = new Map<string, DuePayment>();
  /** Ids of bulk payments with a postponed entry. */
  private readonly waitingBulks = new Set<string>();

  constructor(private readonly table: UnfinishedTable) {}

  /** Reads the unfinished payments at the start of a pass; returns those that are due for a retry. */
  async reload(): Promise<readonly TransactionRef[]> {
    const rows = await this.table.read();
    this.unfinished = new Map(rows.map((row) => [row.paymentId, row]));
    this.waitingBulks.clear();
    for (const paymentId of this.mayPayIn.keys())
      if (!this.unfinished.has(paymentId)) this.mayPayIn.delete(paymentId);
    return rows.filter((row) => !row.postponed);
  }

  /** The number of failed payments that will be retried later. */
  get count(): number {
    return [...this.unfinished.values()].filter(({ failures }) => failures > 0).length;
  }

  hasFailedBefore(paymentId: string): boolean {
    return this.failures(paymentId) > 0;
  }

  /** Omits payments that must wait: postponed ones, and entries of bulk payments after a postponed one. */
  leaveOut(payments: readonly DuePayment[]): readonly DuePayment[] {
    return payments.filter((payment) => {
      if (this.unfinished.get(payment.paymentId)?.postponed !== true) return !this.waitsForBulk(payment);
      this.remember(payment);
      if (payment.partOf !== undefined) this.waitingBulks.add(payment.partOf.paymentId);
      return false;
    });
  }

  /** Omits entries of a bulk payment after one that waits or may have to wait, since that one is decided first. */
  inOrder(payments: readonly DuePayment[]): readonly DuePayment[] {
    const undecided = new Set<string>();
    return payments.filter((payment) => {
      const { partOf, transactionStatus } = payment;
      if (partOf === undefined || transactionStatus !== 'ACCP') return true;
      if (this.waitsForBulk(payment) || undecided.has(partOf.paymentId)) return false;
      if (this.mayBeCovered(payment)) undecided.add(partOf.paymentId);
      return true;
    });
  }

  /**
   * True if an earlier payment that will be retried would pay into the account, so that this one is not refused
   * for lack of funds yet.
   */
  mayBeCovered(payment: DuePayment): boolean {
    return [...this.mayPayIn.values()].some(
      (earlier) =>
        earlier.order.creditorAccount === payment.order.debtorIban && isDueBefore(earlier, payment),
    );
  }

  /** `seconds`: how long the payment waits; by default, longer after each failure. */
  async postpone(payment: DuePayment, error: unknown, seconds?: number): Promise<void> {
    this.remember(payment);
    await this.postponeRef(payment, error, seconds);
  }

  /** Postpones a payment that lacks funds but may still be covered by an earlier one that failed. */
  async defer(payment: DuePayment): Promise<void> {
    await this.postpone(payment, new OutOfStep('an earlier payment that failed may still cover it'));
  }

  /** {@link postpone} for a payment of which only the id is known. */
  async postponeRef(payment: TransactionRef, error: unknown, seconds?: number): Promise<void> {
    if (payment.partOf !== undefined) this.waitingBulks.add(payment.partOf.paymentId);
    const wait = seconds ?? retryAfterSeconds(this.failures(payment.paymentId) + 1);
    await this.table.postpone(payment, wait, toReason(error));
  }

  /** Called when the payment is finished. */
  forget({ paymentId }: DuePayment): void {
    this.mayPayIn.delete(paymentId);
  }

  private failures(paymentId: string): number {
    return this.unfinished.get(paymentId)?.failures ?? 0;
  }

  private waitsForBulk({ partOf, transactionStatus }: DuePayment): boolean {
    return partOf !== undefined && transactionStatus === 'ACCP' && this.waitingBulks.has(partOf.paymentId);
  }

  private remember(payment: DuePayment): void {
    if (payment.transactionStatus !== 'ACSC') this.mayPayIn.set(payment.paymentId, payment);
  }
}
