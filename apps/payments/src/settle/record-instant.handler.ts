import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { mustBeId } from '@xs2a/calls/checks';
import { CommandOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import { recordInstant } from '@xs2a/contracts/instant/instant.contract';
import { callFailed, CallFailed } from '@xs2a/domain/failure/failed';
import {
  decideInstantStep,
  instantProgress,
  wasAnsweredLate,
} from '@xs2a/domain/payment/instant/decide-instant';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import { Clock } from '@xs2a/runtime/clock';
import { failpoint } from '@xs2a/runtime/failpoint';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';
import { toStreamId } from './settlement-steps.js';

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

  async execute({ request }: RecordInstant): Promise<Answer> {
    const { step, partOf } = request;
    const streamId = toStreamId(request);
    mustBeId(streamId, 'paymentId');
    const now = this.clock.now();
    let before: PaymentState | undefined;
    const results = await this.store.many.change(
      [streamId],
      (state) => {
        before = state;
        return decideInstantStep(state, step, now, partOf?.number);
      },
      // Money moves after these two steps, so they must not build on a database that lost events.
      { actor: 'settlement', isGuarded: () => step.step === 'held' || step.step === 'answered' },
    );
    failpoint(`payments.instant-${step.step}`);
    const toAnswer = (state: PaymentState, recorded: boolean): Answer => ({
      recorded,
      progress: instantProgress(state, now, partOf?.number),
      answeredLate: wasAnsweredLate(state, partOf?.number),
    });
    const result = results.get(streamId);
    if (result === undefined || before === undefined) throw callFailed('resourceUnknown');
    if ('state' in result) return toAnswer(result.state, true);
    if (result.refused.failure === 'dependencyDown') throw new CallFailed([result.refused]);
    return toAnswer(before, false);
  }
}
