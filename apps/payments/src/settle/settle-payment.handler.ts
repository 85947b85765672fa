import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import { settlePayment } from '@xs2a/contracts/payments.contract';
import { callFailed, dependencyDown } from '@xs2a/domain/failure/failed';
import { bringForward, executionOf, listToExecute } from '@xs2a/domain/payment/settlement/bring-forward';
import { Clock } from '@xs2a/runtime/clock';
import { setTimeout as wait } from 'node:timers/promises';
import { PaymentReads } from '../read/payment-reads.js';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';

/** The maximum real time in milliseconds to wait for the execution; the caller waits a little longer. */
const maxWaitMs = 4000;
const [firstPauseMs, maxPauseMs] = [20, 200];

/** A TPP in the sandbox wants its payment to be executed before its due time (contract 13). */
export class SettlePayment extends CommandOf(settlePayment) {}

/**
 * Makes the payment due now, so that the settlement worker executes it like any other, and waits for the result.
 * The events decide the races: settlement, cancellation and another settle call work on the same stream.
 */
@CommandHandler(SettlePayment)
export class SettlePaymentHandler implements ICommandHandler<SettlePayment> {
  constructor(
    private readonly reads: PaymentReads,
    @Inject(PAYMENT_STORE) private readonly store: PaymentStore,
    private readonly clock: Clock,
  ) {}

  async execute({ request }: SettlePayment): Promise<Record<string, never>> {
    const { tppId, paymentId } = request;
    const giveUpAt = performance.now() + maxWaitMs;
    await this.reads.requireOwn(request);
    const payment = await this.store.change(
      paymentId,
      (state) => bringForward(state, { now: this.clock.now() }),
      { actor: tppId },
    );
    // The worker asks every second for what is due.
    await this.execution(paymentId, listToExecute(payment), giveUpAt);
    return {};
  }

  /** Throws statusForbidsSettlement if the payment was cancelled first, and dependencyDown after `giveUpAt`. */
  private async execution(
    paymentId: string,
    numbers: ReturnType<typeof listToExecute>,
    giveUpAt: number,
  ): Promise<void> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(maxPauseMs, pauseMs * 2)) {
      const loaded = await this.store.load(paymentId);
      const execution = loaded === undefined ? 'cancelled' : executionOf(loaded.state, numbers);
      if (execution === 'executed') return;
      if (execution === 'cancelled') throw callFailed('statusForbidsSettlement');
      if (performance.now() > giveUpAt) throw dependencyDown();
      await wait(pauseMs);
    }
  }
}
