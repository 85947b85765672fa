import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { mustBeId } from '@xs2a/calls/checks';
import { CommandOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import { type InstantRecord, recordInstants } from '@xs2a/contracts/instant/instant.contract';
import { decideInstantSteps, type InstantOutcome } from '@xs2a/domain/payment/instant/decide-instant';
import { Clock } from '@xs2a/runtime/clock';
import { failpoint } from '@xs2a/runtime/failpoint';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';
import { toStreamId } from './settlement-steps.js';

/** The settlement worker has taken steps of instant payments and asks to record them. */
export class RecordInstants extends CommandOf(recordInstants) {}

/**
 * Records steps and returns the next one of each payment; those of one bulk payment are recorded together. Of several
 * workers, the first answer counts.
 */
@CommandHandler(RecordInstants)
export class RecordInstantsHandler implements ICommandHandler<RecordInstants> {
  constructor(
    @Inject(PAYMENT_STORE) private readonly store: PaymentStore,
    private readonly clock: Clock,
  ) {}

  async execute({ request: { records } }: RecordInstants): Promise<AnswerOf<typeof recordInstants>> {
    const now = this.clock.now();
    const byStream = Map.groupBy(records, toStreamId);
    for (const streamId of byStream.keys()) mustBeId(streamId, 'paymentId');
    const outcomes = new Map<InstantRecord, InstantOutcome>();
    const changed = await this.store.many.change(
      [...byStream.keys()],
      (state, streamId) => {
        const ofStream = byStream.get(streamId) ?? [];
        const steps = ofStream.map(({ step, partOf }) => ({ step, number: partOf?.number }));
        const decided = decideInstantSteps(state, steps, now);
        for (const [index, record] of ofStream.entries()) {
          const outcome = decided.outcomes[index];
          if (outcome !== undefined) outcomes.set(record, outcome);
        }
        return decided;
      },
      { actor: 'settlement', isGuarded: (streamId) => (byStream.get(streamId) ?? []).some(movesMoney) },
    );
    for (const { step } of records) failpoint(`payments.instant-${step.step}`);
    const results = records.map((record) => {
      const change = changed.get(toStreamId(record));
      const isUndecided =
        change !== undefined && 'refused' in change && change.refused.failure === 'dependencyDown';
      // After too many conflicts, what was decided is not stored.
      if (isUndecided) return { failure: 'dependencyDown' } as const;
      return outcomes.get(record) ?? ({ failure: 'resourceUnknown' } as const);
    });
    return { results };
  }
}

/** Money moves after these two steps, so they must not build on a database that lost events. */
const movesMoney = ({ step: { step } }: InstantRecord): boolean => step === 'held' || step === 'answered';
