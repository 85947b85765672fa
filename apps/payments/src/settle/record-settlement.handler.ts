import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import {
  type SettlementRecord,
  type SettlementRecorded,
  recordSettlement,
} from '@xs2a/contracts/payments.contract';
import type { Profile } from '@xs2a/domain/profile/profile';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { Clock } from '@xs2a/runtime/clock';
import { failpoint } from '@xs2a/runtime/failpoint';
import { PROFILE } from '@xs2a/runtime/tokens';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';
import { type RecordedSteps, recordSteps, toStreamId } from './settlement-steps.js';

type Answer = AnswerOf<typeof recordSettlement>;

/** The settlement worker has taken settlement steps and asks to record them in the payments' streams. */
export class RecordSettlement extends CommandOf(recordSettlement) {}

/** Records the steps of one payment initiation together, in order. A step that is already recorded changes nothing. */
@CommandHandler(RecordSettlement)
export class RecordSettlementHandler implements ICommandHandler<RecordSettlement> {
  constructor(
    @Inject(PAYMENT_STORE) private readonly store: PaymentStore,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  async execute({ request: { records } }: RecordSettlement): Promise<Answer> {
    const now = this.clock.now();
    const byStream = Map.groupBy(records, toStreamId);
    const recorded = new Map<string, RecordedSteps>();
    const changed = await this.store.many.change(
      [...byStream.keys()],
      (state, streamId) => {
        const steps = recordSteps(state, byStream.get(streamId) ?? [], now, this.profile);
        recorded.set(streamId, steps);
        return steps;
      },
      {
        actor: 'settlement',
        isGuarded: (streamId) => (byStream.get(streamId) ?? []).some(beginsSettlement),
      },
    );
    failpoint('payments.after-record');
    const results = [...byStream].flatMap(([streamId, ofStream]) => {
      const outcome = changed.get(streamId);
      // Repeated write conflicts mean nothing about the payment itself: the worker must retry.
      if (outcome !== undefined && 'refused' in outcome && outcome.refused.failure === 'dependencyDown')
        throw new CallFailed([outcome.refused]);
      return recorded.get(streamId)?.results ?? ofStream.map(unknownPayment);
    });
    return { results };
  }
}

/** True for the step after which money moves and cancellation is no longer possible. */
const beginsSettlement = ({ step }: SettlementRecord): boolean => step === 'settlement-started';

const unknownPayment = ({ paymentId }: SettlementRecord): SettlementRecorded => ({
  paymentId,
  recorded: false,
  ended: false,
});
