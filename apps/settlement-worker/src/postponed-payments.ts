import type { TransactionRef } from '@xs2a/contracts/payments.contract';
import { type DuePayment, isDueBefore } from '@xs2a/domain/payment/settlement/due';
import { OutOfStep, retryAfterSeconds, toReason } from './retry.js';
import type { Unfinished, UnfinishedTable } from './unfinished-table.js';

/**
 * What an earlier pass has begun, or failed to settle, and what that means for others:
 *
 * - A payment that failed is postponed, longer each time, and is not tried until then. It holds up nobody else, but:
 * - Entries of a bulk payment settle in their order (contract 9): those behind a postponed one wait with it.
 * - A payment that is short of funds is not refused while an earlier one that is tried again may pay into its account.
 */
export class PostponedPayments {
  private unfinished = new Map<string, Unfinished>();
  /** Payments that failed and may yet pay into an account, by id. */
  private readonly mayPayIn = new Map<string, DuePayment>();
  /** Ids of bulk payments of which an entry was postponed. */
  private readonly waitingBulks = new Set<string>();

  constructor(private readonly table: UnfinishedTable) {}

  /** Reads what is unfinished, at the beginning of a pass; answers those of them that are to be tried again now. */
  async reload(): Promise<readonly TransactionRef[]> {
    const rows = await this.table.read();
    this.unfinished = new Map(rows.map((row) => [row.paymentId, row]));
    this.waitingBulks.clear();
    for (const paymentId of this.mayPayIn.keys())
      if (!this.unfinished.has(paymentId)) this.mayPayIn.delete(paymentId);
    return rows.filter((row) => !row.postponed);
  }

  /** Number of payments that failed and are tried again later. */
  get count(): number {
    return [...this.unfinished.values()].filter(({ failures }) => failures > 0).length;
  }

  hasFailedBefore(paymentId: string): boolean {
    return this.failures(paymentId) > 0;
  }

  /** Leaves out what has to wait: postponed payments, and entries of bulk payments behind a postponed one. */
  leaveOut(payments: readonly DuePayment[]): readonly DuePayment[] {
    return payments.filter((payment) => {
      if (this.unfinished.get(payment.paymentId)?.postponed !== true) return !this.waitsForBulk(payment);
      this.remember(payment);
      if (payment.partOf !== undefined) this.waitingBulks.add(payment.partOf.paymentId);
      return false;
    });
  }

  /** Leaves out entries of bulk payments behind one that waits, or that may have to: that one is decided before them. */
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

  /** True if an earlier payment that is tried again would pay into the account: it is not refused for lack of funds yet. */
  mayBeCovered(payment: DuePayment): boolean {
    return [...this.mayPayIn.values()].some(
      (earlier) =>
        earlier.order.creditorAccount === payment.order.debtorIban && isDueBefore(earlier, payment),
    );
  }

  /** `seconds`: how long it waits; by default longer with each failure. */
  async postpone(payment: DuePayment, error: unknown, seconds?: number): Promise<void> {
    this.remember(payment);
    await this.postponeRef(payment, error, seconds);
  }

  /** It is short of funds, and an earlier one that failed may yet cover it. */
  async defer(payment: DuePayment): Promise<void> {
    await this.postpone(payment, new OutOfStep('a payment that failed may yet cover it'));
  }

  /** {@link postpone} for a payment of which no more than its id is known. */
  async postponeRef(payment: TransactionRef, error: unknown, seconds?: number): Promise<void> {
    if (payment.partOf !== undefined) this.waitingBulks.add(payment.partOf.paymentId);
    const wait = seconds ?? retryAfterSeconds(this.failures(payment.paymentId) + 1);
    await this.table.postpone(payment, wait, toReason(error));
  }

  /** The payment was brought to its end. */
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
