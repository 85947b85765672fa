import type { TransactionRef } from '@xs2a/contracts/payments.contract';
import type { DuePayment } from '@xs2a/domain/payment/settlement/due';
import { splitByDebtor } from '@xs2a/domain/payment/settlement/plan';
import { callContext } from '@xs2a/calls/context';
import { inTraceOf } from '@xs2a/calls/in-span';
import { isTransientFailure } from '@xs2a/consumers/errors';
import type { Logger } from '@xs2a/observability/logger';
import { counter } from '@xs2a/observability/metrics';
import { newId } from '@xs2a/runtime/ids';
import type { PostponedPayments } from './postponed-payments.js';
import { OutOfStep } from './retry.js';
import type { SettlementSaga } from './settlement-saga.js';

/** Max concurrent batches: while one waits for a service, another works. */
const concurrency = 4;
const maxBatch = 100;
/**
 * Real seconds for which a payment is postponed if it caused a dependency not to respond, or if it was started but
 * is no longer due.
 */
const waitSeconds = 2;
const finished = counter('xs2a_due_finished_total', 'Due payments processed to completion', ['kind']);
const failed = counter('xs2a_due_failed_total', 'Due payments that failed and were postponed', ['kind']);

interface SettlementBatchesOptions {
  readonly saga: SettlementSaga;
  readonly postponed: PostponedPayments;
  /** Postpones the decision on a payment that lacks funds but may still be covered. */
  readonly defer: (payment: DuePayment) => Promise<void>;
  readonly logger: Logger;
  /** When aborted, no further batch is started. */
  readonly stopping: AbortSignal;
}

/**
 * Settles payments in batches, and determines which of them cause a failure:
 *
 * - If a dependency does not respond, the pass stops. Batches become smaller until a single payment is left, which
 * is postponed.
 * - After any other failure of a batch, its payments are repeated one by one, and each that fails again is
 * postponed.
 */
export class SettlementBatches {
  private size = maxBatch;

  constructor(private readonly options: SettlementBatchesOptions) {}

  /** If a dependency does not respond, throws once the batches in progress have ended. */
  async settle(payments: readonly DuePayment[]): Promise<void> {
    const outcomes = await Promise.allSettled(
      splitByDebtor(payments, concurrency).map(async (list) => {
        for (const batch of this.split(list)) await this.settleBatch(batch);
      }),
    );
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  /**
   * Releases the holds of started payments that have ended. Payments that cannot be released now or are not due
   * are retried later, without delaying due ones.
   */
  async cleanUp(payments: readonly TransactionRef[]): Promise<void> {
    for (const batch of this.split(payments)) await this.cleanUpBatch(batch);
  }

  /**
   * Splits the list into batches, in order. A payment that failed before gets its own batch, so that it does not
   * make others fail.
   */
  private *split<Item extends { readonly paymentId: string }>(
    list: readonly Item[],
  ): Generator<readonly Item[]> {
    const { postponed, stopping } = this.options;
    let rest = list;
    while (rest.length > 0 && !stopping.aborted) {
      const failedBefore = rest.findIndex(({ paymentId }) => postponed.hasFailedBefore(paymentId));
      const upToFailed = failedBefore === -1 ? maxBatch : failedBefore;
      const size = failedBefore === 0 ? 1 : Math.min(this.size, upToFailed);
      yield rest.slice(0, size);
      rest = rest.slice(size);
    }
  }

  private async settleBatch(planned: readonly DuePayment[]): Promise<void> {
    const payments = this.options.postponed.inOrder(planned);
    const causes = payments.map(({ traceparent }) => traceparent);
    const { requestId = newId() } = callContext.getStore() ?? {};
    const context = { requestId, actor: 'settlement-worker' };
    const attributes = { 'messaging.batch.message_count': payments.length };
    const span = { name: 'settle payments', kind: 'CONSUMER', attributes } as const;
    await inTraceOf(causes, { context, span }, async () => this.trySaga(payments));
  }

  private async trySaga(payments: readonly DuePayment[]): Promise<void> {
    const [first, ...others] = payments;
    if (first === undefined) return;
    try {
      await this.runSaga(payments);
      this.size = Math.min(maxBatch, this.size * 2);
    } catch (error) {
      if (isTransientFailure(error)) {
        await this.shrink(first, error);
        throw error;
      }
      if (others.length === 0) {
        await this.postponeFailed(first, error);
        return;
      }
      this.options.logger.warn(
        { error, payments: payments.length },
        'a batch of due payments failed; processing them one by one',
      );
      for (const payment of payments) await this.settleBatch([payment]);
    }
  }

  private async runSaga(payments: readonly DuePayment[]): Promise<void> {
    const { saga, postponed, defer, logger } = this.options;
    const deferred = new Set(await saga.settle(payments));
    logger.debug({ payments: payments.length, deferred: deferred.size }, 'settled a batch');
    for (const payment of payments) {
      if (deferred.has(payment.paymentId)) {
        await defer(payment);
      } else {
        postponed.forget(payment);
        finished.inc({ kind: chooseKind(payment) });
      }
    }
  }

  /**
   * Smaller batches show whether one payment or the batch size causes the failure; once a single payment is left,
   * it is postponed so that the others go first.
   */
  private async shrink(first: DuePayment, error: unknown): Promise<void> {
    const { postponed } = this.options;
    if (this.size === 1 || postponed.hasFailedBefore(first.paymentId))
      await postponed.postpone(first, error, waitSeconds);
    this.size = Math.max(1, Math.floor(this.size / 2));
  }

  private async postponeFailed(payment: DuePayment, error: unknown): Promise<void> {
    const { postponed, logger } = this.options;
    await postponed.postpone(payment, error);
    failed.inc({ kind: chooseKind(payment) });
    logger.error({ error, paymentId: payment.paymentId }, 'settling a due payment failed; will retry');
  }

  private async cleanUpBatch(payments: readonly TransactionRef[]): Promise<void> {
    const { saga, postponed, logger } = this.options;
    try {
      const notDue = new OutOfStep('settlement has started, but the payment is not due');
      for (const payment of await saga.cleanUp(payments))
        await postponed.postponeRef(payment, notDue, waitSeconds);
    } catch (error) {
      logger.warn(
        { error, payments: payments.length },
        'cleanup of unfinished settlements failed; will retry',
      );
      const seconds = isTransientFailure(error) ? waitSeconds : undefined;
      for (const payment of payments) await postponed.postponeRef(payment, error, seconds);
    }
  }
}

const chooseKind = ({ transactionStatus }: DuePayment): 'settle' | 'book' =>
  transactionStatus === 'ACSC' ? 'book' : 'settle';
