import { voidHolds } from '@xs2a/contracts/accounts.contract';
import {
  type DueInstant,
  type InstantOrder,
  type InstantRecord,
  sendInstant,
} from '@xs2a/contracts/instant/instant.contract';
import { coreBankName } from '@xs2a/contracts/services';
import type { TransactionRef } from '@xs2a/contracts/payments.contract';
import { CallFailed, dependencyDown } from '@xs2a/domain/failure/failed';
import type { InstantOutcome } from '@xs2a/domain/payment/instant/decide-instant';
import type { InstantProgress, InstantStep } from '@xs2a/domain/payment/instant/instant-steps';
import { type InstantAnswer, reasonCodes } from '@xs2a/domain/payment/instant/instant-answer';
import { answerWithinMs, reasonOfRefusal } from '@xs2a/domain/payment/instant/instant-payments';
import type { CallClient } from '@xs2a/calls/client';
import { type LeaderLock, pause } from '@xs2a/postgres/leader-lock';
import type { Clock } from '@xs2a/runtime/clock';
import { failpoint } from '@xs2a/runtime/failpoint';
import { OutOfStep } from '../retry.js';
import { type FollowUpTable, holdWithinMs } from './follow-up-table.js';
import { InstantCalls } from './instant-calls.js';
import { type SendSlots, toWish } from './send-slots.js';

/** The least time in milliseconds for the last question, which comes after a crash or a bank that was down. */
const lastAskMs = 500;
/** Pause in milliseconds before the bank is asked again after a failure; it doubles up to the maximum. */
const againMs = 100;
const maxAgainMs = 1000;
/** Milliseconds after the deadline until which a bank that cannot be reached is asked what it did before a crash. */
const unreachableForMs = 60_000;
/** Milliseconds that a rejection waits for its void; a later void is a follow-up. */
const voidWithinMs = 800;

interface InstantSagaOptions {
  readonly callClient: CallClient;
  readonly lock: Pick<LeaderLock, 'confirm'>;
  readonly followUps: FollowUpTable;
  readonly slots: SendSlots;
  readonly clock: Pick<Clock, 'realMs'>;
  /** When aborted, no further step is taken, and no answer is awaited. */
  readonly stopping: AbortSignal;
}

type Payment = Pick<DueInstant, 'paymentId' | 'partOf' | 'order'> & {
  /** True if it takes its steps with calls of its own, which it shares with no other payment. */
  readonly ownCalls: boolean;
};
type At<Next extends InstantProgress['next']> = Extract<InstantProgress, { next: Next }>;

/**
 * Executes one instant payment: hold, record ACSP, send, record the answer, then post and record ACSC, or void and record
 * RJCT. Every step is idempotent, so any instance may continue after a crash from what the payment's stream says. The
 * stream keeps the first answer, so that a payment is never both posted and rejected, even if two instances
 * continue it at the same time.
 */
export class InstantSaga {
  private readonly calls: InstantCalls;

  constructor(private readonly options: InstantSagaOptions) {
    this.calls = new InstantCalls(options.callClient, options.followUps);
  }

  /** Continues until the payment has ended. Throws if a step fails that can only be repeated. */
  async run(
    { paymentId, partOf, order, progress }: DueInstant,
    { ownCalls = false }: Partial<Pick<Payment, 'ownCalls'>> = {},
  ): Promise<void> {
    const ref = partOf === undefined ? { paymentId } : { paymentId, partOf };
    let next = progress;
    while (next.next !== 'none' && !this.options.stopping.aborted) {
      const step = await this.take({ ...ref, order, ownCalls }, { now: next, isResumed: next === progress });
      if (step === undefined) return;
      const after = await this.record({ ...ref, step }, ownCalls);
      // The database went back and has lost the payment. The follow-up repeats the void.
      if (after === undefined) return this.release(ref);
      if (step.step === 'held') {
        if (after.recorded) await this.calls.finishFollowUp(paymentId, ownCalls);
        // Cancelled before its hold.
        else if (after.progress.next === 'none') await this.release(ref);
      }
      if (!after.recorded && after.progress.next === next.next)
        throw new OutOfStep('an instant payment refuses the step that is next');
      next = after.progress;
    }
  }

  /** Returns undefined if the amount is held, and the payment does not exist any more. */
  private async record(record: InstantRecord, ownCalls: boolean): Promise<InstantOutcome | undefined> {
    try {
      return await this.calls.record(record, ownCalls);
    } catch (error) {
      if (record.step.step === 'held' && isUnknown(error)) return undefined;
      throw error;
    }
  }

  /** Takes the next step and returns what has to be recorded; undefined if this instance stops. */
  private async take(
    payment: Payment,
    { now: progress, isResumed }: { readonly now: InstantProgress; readonly isResumed: boolean },
  ): Promise<InstantStep | undefined> {
    switch (progress.next) {
      case 'hold':
        return this.hold(payment, progress);
      case 'send':
        // An order that may have been sent before is asked about in any case.
        return isResumed || payment.partOf !== undefined
          ? this.send(payment, progress, isResumed)
          : this.sendInTurn(payment, progress);
      case 'post':
        return this.post(payment);
      case 'void':
        await this.release(payment);
        return { step: 'released', reasonCode: progress.reasonCode };
      case 'none':
        return undefined;
    }
  }

  private async hold(payment: Payment, progress: At<'hold'>): Promise<InstantStep> {
    const { paymentId, partOf, order, ownCalls } = payment;
    const { clock } = this.options;
    const takenUp = toInstant(clock.realMs + answerWithinMs);
    const { answerBy: planned = takenUp } = progress;
    const wished = planned < takenUp ? planned : takenUp;
    // A request that is not answered may place the hold after a void, which then has to be repeated.
    const answerBy = await this.calls.beginHold({ paymentId, partOf, answerBy: wished }, ownCalls);
    const leftMs = Date.parse(answerBy) - clock.realMs;
    // A hold may have been placed before a crash.
    if (leftMs <= 0) return this.reject(payment, reasonCodes.sentTooLate);
    const asked = this.calls.placeHold({ paymentId, order, instant: true }, ownCalls);
    const result = await within(Math.min(holdWithinMs, leftMs), asked);
    if (!result.held) return this.reject(payment, reasonOfRefusal[result.reason]);
    failpoint('instant.after-hold');
    const { holdId, transactionId } = result;
    return { step: 'held', holdId, transactionId, answerBy };
  }

  /** A rejection before anything was sent is final, so it is decided only by the instance that has the lock. */
  private async reject(payment: Payment, reasonCode: string): Promise<InstantStep> {
    await this.options.lock.confirm();
    await this.release(payment);
    return { step: 'released', reasonCode };
  }

  /** Waits for a slot; without one before the deadline, this bank was too late. */
  private async sendInTurn(payment: Payment, progress: At<'send'>): Promise<InstantStep | undefined> {
    const { slots, stopping, clock, followUps, lock } = this.options;
    const leftMs = Math.max(0, Date.parse(progress.answerBy) - clock.realMs);
    const wish = toWish(payment);
    if (!(await slots.wait(wish, AbortSignal.any([stopping, AbortSignal.timeout(leftMs)])))) {
      if (stopping.aborted) return undefined;
      await lock.confirm();
      await followUps.add(payment, { sent: true });
      return { step: 'answered', answer: { outcome: 'rejected', reasonCode: reasonCodes.sentTooLate } };
    }
    try {
      return await this.send(payment, progress, false);
    } finally {
      slots.free(wish);
    }
  }

  /**
   * Waits for the answer until its deadline. Without one, the payment is rejected and the bank is asked again later,
   * because its answer may still be a confirmation.
   */
  private async send(
    payment: Payment,
    { answerBy }: At<'send'>,
    isResumed: boolean,
  ): Promise<InstantStep | undefined> {
    const { paymentId, order } = payment;
    const { followUps, lock, stopping } = this.options;
    failpoint('instant.before-send');
    const answer = await this.answer({ paymentId, order, deadline: answerBy }, isResumed);
    failpoint('instant.after-send');
    if (answer !== undefined) return { step: 'answered', answer };
    if (stopping.aborted) return undefined;
    await lock.confirm();
    await followUps.add(payment, { sent: true });
    return { step: 'answered', answer: { outcome: 'rejected', reasonCode: reasonCodes.noAnswer } };
  }

  /**
   * Asks until there is an answer or the deadline has passed. If the payment is continued after its deadline, the order may
   * have been sent, so a bank that cannot be reached is asked for longer.
   */
  private async answer(order: InstantOrder, isResumed: boolean): Promise<InstantAnswer | undefined> {
    const { clock, stopping } = this.options;
    const untilMs = Date.parse(order.deadline);
    const isLate = isResumed && clock.realMs >= untilMs;
    for (let waitMs = againMs; !stopping.aborted; waitMs = Math.min(maxAgainMs, waitMs * 2)) {
      const answer = await this.ask(order, Math.max(lastAskMs, untilMs - clock.realMs));
      const isPatient = isLate && answer === 'unreachable';
      const leftMs = untilMs + (isPatient ? unreachableForMs : 0) - clock.realMs;
      if (typeof answer === 'object') return answer;
      if (leftMs <= againMs) return undefined;
      // The last question still has its time before the deadline.
      await pause(Math.min(waitMs, Math.max(againMs, leftMs - lastAskMs)), stopping);
    }
    return undefined;
  }

  /** Asks once. The accounts service reports in time that the bank does not answer, unless neither can be reached. */
  private async ask(
    order: InstantOrder,
    timeoutMs: number,
  ): Promise<InstantAnswer | 'silent' | 'unreachable'> {
    const { callClient, stopping } = this.options;
    const begun = performance.now();
    const asked = callClient.call({ ...sendInstant, timeoutMs }, order).catch((error: unknown) => {
      const isEarly = performance.now() - begun < timeoutMs / 2;
      return isEarly || !isOfBank(error) ? 'unreachable' : 'silent';
    });
    const over = new AbortController();
    const stopped = pause(2 * timeoutMs, AbortSignal.any([stopping, over.signal]));
    const answer = await Promise.race([asked, stopped.then(() => 'silent' as const)]);
    over.abort();
    return answer;
  }

  private async post({ paymentId, ownCalls }: Payment): Promise<InstantStep> {
    failpoint('instant.before-post');
    const result = await this.calls.postHold(paymentId, ownCalls);
    const postingId = result.posted ? result.postingId : undefined;
    if (postingId === undefined) throw new OutOfStep('the payee was paid, but there is no hold to post');
    failpoint('instant.after-post');
    return { step: 'posted', postingId };
  }

  /** Voids the hold, if there is one. The payment must be final in time, so a bank that is down voids it later. */
  private async release(payment: TransactionRef): Promise<void> {
    const { callClient, followUps } = this.options;
    try {
      await callClient.call({ ...voidHolds, timeoutMs: voidWithinMs }, { paymentIds: [payment.paymentId] });
    } catch {
      await followUps.add(payment, { sent: false });
    }
  }
}

const isUnknown = (error: unknown): boolean =>
  error instanceof CallFailed && error.failures.some(({ failure }) => failure === 'resourceUnknown');

/** True if the accounts service answered that the core bank gave no answer. */
const isOfBank = (error: unknown): boolean =>
  error instanceof CallFailed && error.failures.some(({ dependency }) => dependency === coreBankName);

/** Fails with dependencyDown if there is no result within these milliseconds. */
const within = async <Result extends object>(ms: number, work: Promise<Result>): Promise<Result> => {
  const over = new AbortController();
  try {
    const result = await Promise.race([work, pause(ms, over.signal)]);
    if (result === undefined) throw dependencyDown();
    return result;
  } finally {
    over.abort();
  }
};

const toInstant = (ms: number): string => new Date(ms).toISOString();
