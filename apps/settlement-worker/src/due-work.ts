import type { AnswerOf } from '@xs2a/contracts/call';
import { type DuePlace, readDuePayments, type TransactionRef } from '@xs2a/contracts/payments.contract';
import { type DuePayment, isDueBefore } from '@xs2a/domain/payment/settlement/due';
import { planSettlement, splitByDebtor, untilNextOccurrence } from '@xs2a/domain/payment/settlement/plan';
import { callContext } from '@xs2a/calls/context';
import { isTransientFailure } from '@xs2a/consumers/errors';
import type { Requester } from '@xs2a/calls/requester';
import type { Logger } from '@xs2a/observability/logger';
import { counter, gauge } from '@xs2a/observability/metrics';
import type { LeaderLock } from '@xs2a/postgres/leader-lock';
import type { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { Sweep } from '@xs2a/runtime/sweep';
import { OutOfStep, reasonOf, retryAfterSeconds } from './retry.js';
import { SettlementSaga } from './settlement-saga.js';
import { type Unfinished, UnfinishedTable } from './unfinished-table.js';

const everyMs = 1000;
/** Most passes begin where the last one began, so that they do not walk over index entries of what is done long ago. */
const fullPassEveryMs = 5000;
/** A payment may be seen so long after the time it is due: it is due when it is signed, and seen when that is committed. */
const maxCommitMs = 5000;
const pageSize = 800;
/** Max payments that wait for others before the next page is read. */
const maxWaiting = 2000;
/** Batches under way at the same time: while one waits for a service another works. */
const concurrency = 4;
const maxBatch = 100;
/** Real seconds that a payment waits on whose account a dependency gave no answer, or that was begun and is not due any more. */
const waitSeconds = 2;
const zeroId = '00000000-0000-0000-0000-000000000000';
const finished = counter('xs2a_due_finished_total', 'Due payments brought to their end', ['kind']);
const failed = counter('xs2a_due_failed_total', 'Due payments that failed and were postponed', ['kind']);
const oldestDue = gauge(
  'xs2a_due_oldest_seconds',
  'How long the oldest payment, occurrence or entry is due, by the bank’s clock; 0 when nothing is',
  [],
);

type DuePage = AnswerOf<typeof readDuePayments>;

interface DueWorkOptions {
  readonly lock: LeaderLock;
  readonly requester: Requester;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Settles and books what the payments service says is due, while this worker is the active one. */
export class DueWork {
  private readonly sweep: Sweep;
  private readonly unfinished: UnfinishedTable;
  private readonly saga: SettlementSaga;
  private batchSize = maxBatch;
  private down = false;
  private stopping = false;
  /** Payments that were begun or failed before this pass, by id. Postponed ones are left alone until their time has come. */
  private begun = new Map<string, Unfinished>();
  /** Payments that failed and may yet pay into an account, by id. */
  private awaited = new Map<string, DuePayment>();
  /** Bulk payments of which an entry was postponed: those behind it are not held before it (contract 9: in their order). */
  private heldBack = new Set<string>();
  /** Everything due before it was seen by a pass that went well. */
  private quickPassFrom: DuePlace | undefined;
  private fullPassAt = 0;

  constructor(private readonly options: DueWorkOptions) {
    const { lock, requester, clock, logger } = options;
    this.unfinished = new UnfinishedTable(lock.client);
    this.saga = new SettlementSaga(requester, this.unfinished, lock, (payment) => this.mayBeCovered(payment));
    this.sweep = new Sweep({
      name: 'settlement',
      everyMs,
      clock,
      logger,
      run: async () =>
        callContext.run({ requestId: newId(), actor: 'settlement-worker' }, async () => this.pass()),
      onState: (error) => {
        this.down = error !== undefined;
        if (this.down) this.fullPassAt = 0;
      },
    });
    this.sweep.start();
  }

  /** Something may have become due. */
  wake(): void {
    this.sweep.kick();
  }

  /** Works until nothing is due that can be done now. Throws what stops it. */
  async drain(): Promise<void> {
    this.fullPassAt = 0;
    await this.sweep.drain();
  }

  /** Ends with the batches under way. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.sweep.stop();
  }

  degraded(): string | undefined {
    if (this.down) return 'due payments wait for a service or the database';
    const size = [...this.begun.values()].filter(({ attempts }) => attempts > 0).length;
    return size > 0 ? `${size} due payments failed and are tried again later` : undefined;
  }

  /**
   * Goes over what is due, page by page, in order, up to the time at which an order has its next occurrence; the next pass begins
   * there. Answers how much was done.
   */
  private async pass(): Promise<number> {
    await this.takeUpUnfinished();
    const isFull = performance.now() >= this.fullPassAt;
    if (isFull) this.fullPassAt = performance.now() + fullPassEveryMs;
    const first = await this.read(isFull ? undefined : this.quickPassFrom);
    if (isFull) tellOldest(first);
    let [place, window, done, until] = [first.next, this.openOf(first), 0, first.now];
    while ((place !== undefined || window.length > 0) && !this.stopping) {
      until = untilNextOccurrence(window, until);
      const due = dueUpTo(until, window);
      if (due.length < window.length) place = undefined;
      const { ready, waiting } = planSettlement(due);
      const reading = place !== undefined && waiting.length < maxWaiting ? this.read(place) : undefined;
      // Awaited after the work. When the work fails as well, its error is thrown, and the whole pass is repeated.
      reading?.catch(() => undefined);
      await this.workOff(ready);
      done += ready.length;
      const page = await reading;
      window = page === undefined ? waiting : [...waiting, ...this.openOf(page)];
      if (page !== undefined) place = page.next;
    }
    const committed = new Date(Date.parse(first.now) - maxCommitMs).toISOString();
    this.quickPassFrom = { dueAt: until < committed ? until : committed, paymentId: zeroId };
    return done;
  }

  private async read(after: DuePlace | undefined): Promise<DuePage> {
    return this.options.requester.call(readDuePayments, { after, limit: pageSize });
  }

  private openOf({ payments }: DuePage): readonly DuePayment[] {
    return payments.filter((payment) => {
      const { paymentId, partOf } = payment;
      if (this.begun.get(paymentId)?.postponed === true) {
        this.keepAwaited(payment);
        if (partOf !== undefined) this.heldBack.add(partOf.paymentId);
        return false;
      }
      return !this.isHeldBack(payment);
    });
  }

  private isHeldBack({ partOf, transactionStatus }: DuePayment): boolean {
    return partOf !== undefined && transactionStatus === 'ACCP' && this.heldBack.has(partOf.paymentId);
  }

  /** Leaves out entries of a bulk payment behind one that waits, or that may have to: it is decided before them. */
  private inTurn(payments: readonly DuePayment[]): readonly DuePayment[] {
    const undecided = new Set<string>();
    return payments.filter((payment) => {
      const { partOf, transactionStatus } = payment;
      if (partOf === undefined || transactionStatus !== 'ACCP') return true;
      if (this.isHeldBack(payment) || undecided.has(partOf.paymentId)) return false;
      if (this.mayBeCovered(payment)) undecided.add(partOf.paymentId);
      return true;
    });
  }

  /**
   * Looks at what was begun or failed and is to be tried again: releases the holds of those that have ended. What is left
   * of it is due still, so this pass goes over everything.
   */
  private async takeUpUnfinished(): Promise<void> {
    const rows = await this.unfinished.read();
    this.begun = new Map(rows.map((row) => [row.paymentId, row]));
    this.heldBack.clear();
    for (const paymentId of this.awaited.keys())
      if (!this.begun.has(paymentId)) this.awaited.delete(paymentId);
    for (const batch of this.batchesOf(rows.filter((row) => !row.postponed))) await this.cleanUp(batch);
  }

  /** When a hold cannot be released, those of its batch are tried again alone, later: none of them holds up what is due. */
  private async cleanUp(payments: readonly TransactionRef[]): Promise<void> {
    this.fullPassAt = 0;
    try {
      for (const payment of await this.saga.cleanUp(payments)) {
        await this.postpone(
          payment,
          new OutOfStep('settlement was begun, but the payment is not due'),
          waitSeconds,
        );
      }
    } catch (error) {
      this.options.logger.warn(
        { error, payments: payments.length },
        'what was begun cannot be cleaned up now',
      );
      const seconds = isTransientFailure(error) ? waitSeconds : undefined;
      for (const payment of payments) await this.postpone(payment, error, seconds);
    }
  }

  private async workOff(payments: readonly DuePayment[]): Promise<void> {
    const outcomes = await Promise.allSettled(
      splitByDebtor(payments, concurrency).map(async (list) => {
        for (const batch of this.batchesOf(list)) await this.batch(batch);
      }),
    );
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  /** The list in batches, in order. A payment that failed before is alone, so that it fails no batch again. */
  private *batchesOf<Item extends { readonly paymentId: string }>(
    list: readonly Item[],
  ): Generator<readonly Item[]> {
    let rest = list;
    while (rest.length > 0 && !this.stopping) {
      const failedBefore = rest.findIndex(({ paymentId }) => this.attemptsOf(paymentId) > 0);
      const size =
        failedBefore === 0 ? 1 : Math.min(this.batchSize, failedBefore === -1 ? maxBatch : failedBefore);
      yield rest.slice(0, size);
      rest = rest.slice(size);
    }
  }

  private async batch(planned: readonly DuePayment[]): Promise<void> {
    const payments = this.inTurn(planned);
    if (payments.length === 0) return;
    try {
      const deferred = new Set(await this.saga.settle(payments));
      for (const payment of payments) {
        const { paymentId } = payment;
        if (deferred.has(paymentId)) {
          this.keepAwaited(payment);
          await this.postpone(payment, new OutOfStep('a payment that failed may yet cover it'));
        } else {
          this.awaited.delete(paymentId);
          finished.inc({ kind: kindOf(payment) });
        }
      }
      this.batchSize = Math.min(maxBatch, this.batchSize * 2);
    } catch (error) {
      const [first, ...others] = payments;
      if (first === undefined) return;
      if (isTransientFailure(error)) {
        // If it is because of one payment, or of too many at once, smaller batches find out; one alone lets the others go first.
        if (this.batchSize === 1 || this.attemptsOf(first.paymentId) > 0) {
          this.keepAwaited(first);
          await this.postpone(first, error, waitSeconds);
        }
        this.batchSize = Math.max(1, Math.floor(this.batchSize / 2));
        throw error;
      }
      const { logger } = this.options;
      if (others.length === 0) {
        const { paymentId } = first;
        this.keepAwaited(first);
        await this.postpone(first, error);
        failed.inc({ kind: kindOf(first) });
        logger.error({ error, paymentId }, 'a due payment failed; it is tried again later');
        return;
      }
      logger.warn({ error, payments: payments.length }, 'a batch of due payments failed; one by one now');
      for (const payment of payments) await this.batch([payment]);
    }
  }

  private keepAwaited(payment: DuePayment): void {
    if (kindOf(payment) === 'settle') this.awaited.set(payment.paymentId, payment);
  }

  /** An earlier payment that failed and is tried again would pay into the account: a want of funds is not for good yet. */
  private mayBeCovered(payment: DuePayment): boolean {
    return [...this.awaited.values()].some(
      (earlier) =>
        earlier.order.creditorAccount === payment.order.debtorIban && isDueBefore(earlier, payment),
    );
  }

  /** One that fails waits, longer each time, and holds up nobody else. */
  private async postpone(payment: TransactionRef, error: unknown, seconds?: number): Promise<void> {
    if (payment.partOf !== undefined) this.heldBack.add(payment.partOf.paymentId);
    const wait = seconds ?? retryAfterSeconds(this.attemptsOf(payment.paymentId) + 1);
    await this.unfinished.postpone(payment, wait, reasonOf(error));
  }

  private attemptsOf(paymentId: string): number {
    return this.begun.get(paymentId)?.attempts ?? 0;
  }
}

const kindOf = ({ transactionStatus }: DuePayment): 'settle' | 'book' =>
  transactionStatus === 'ACSC' ? 'book' : 'settle';

/** Also of what failed and waits; what is due is read in order. */
const tellOldest = ({ now, payments }: DuePage): void => {
  const [oldest] = payments;
  const seconds = oldest === undefined ? 0 : (Date.parse(now) - Date.parse(oldest.dueAt)) / 1000;
  oldestDue.set({}, seconds);
};

const dueUpTo = (until: string, payments: readonly DuePayment[]): readonly DuePayment[] =>
  payments.filter(({ dueAt }) => dueAt <= until);
