import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { mustBeId } from '@xs2a/calls/checks';
import { CommandOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import { recordInstant } from '@xs2a/contracts/instant/instant.contract';
import { callFailed, CallFailed } from '@xs2a/domain/failure/failed';
import { decideInstantStep, instantProgress } from '@xs2a/domain/payment/instant/decide-instant';
import { isSinglePayment, type PaymentState } from '@xs2a/domain/payment/payment-state';
import { Clock } from '@xs2a/runtime/clock';
import { failpoint } from '@xs2a/runtime/failpoint';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';

type Answer = AnswerOf<typeof recordInstant>;

/** The settlement worker has taken a step of an instant payment and asks to record it. */
export class RecordInstant extends CommandOf(recordInstant) {}

/** Records a step and returns the next one. Of several workers, the first answer counts. */
@CommandHandler(RecordInstant)
export class RecordInstantHandler implements ICommandHandler<RecordInstant> {
  constructor(
    @Inject(PAYMENT_STORE) private readonly store: PaymentStore,
    private readonly clock: Clock,
  ) {}

  async execute({ request: { paymentId, step } }: RecordInstant): Promise<Answer> {
    mustBeId(paymentId, 'paymentId');
    const now = this.clock.now();
    let before: PaymentState | undefined;
    const results = await this.store.many.change(
      [paymentId],
      (state) => {
        before = state;
        return decideInstantStep(state, step, now);
      },
      // Money moves after these two steps, so they must not build on a database that lost events.
      { actor: 'settlement', isGuarded: () => step.step === 'held' || step.step === 'answered' },
    );
    failpoint('payments.after-record');
    const result = results.get(paymentId);
    if (result === undefined || before === undefined) throw callFailed('resourceUnknown');
    if ('state' in result) return toAnswer(result.state, now, true);
    if (result.refused.failure === 'dependencyDown') throw new CallFailed([result.refused]);
    return toAnswer(before, now, false);
  }
}

const toAnswer = (state: PaymentState, now: string, recorded: boolean): Answer => ({
  recorded,
  progress: instantProgress(state, now),
  answeredLate: isSinglePayment(state) && state.instant?.answeredLate === true,
});
