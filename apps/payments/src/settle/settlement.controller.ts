import { Controller, Inject } from '@nestjs/common';
import * as contract from '@xs2a/contracts/payments.contract';
import { hasEnded, isDueAt } from '@xs2a/domain/payment/settlement/due';
import type { Profile } from '@xs2a/domain/profile/profile';
import { waitingStreams } from '@xs2a/event-store/streams/lost-events';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { Handles } from '@xs2a/calls/handles';
import { Clock } from '@xs2a/runtime/clock';
import { failpoint } from '@xs2a/runtime/failpoint';
import { POOL, PROFILE } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { readDuePage } from './due-payments.js';
import { PaymentStore } from '../store/payment-store.js';
import { type RecordedSteps, recordSteps, streamOf } from './record-settlement.js';

const actor = 'settlement';

/**
 * Answers the settlement worker: which transactions are due, how far given ones have come, and records what it did,
 * a batch at a time.
 */
@Controller()
export class SettlementController {
  constructor(
    readonly store: PaymentStore,
    private readonly clock: Clock,
    @Inject(POOL) readonly pool: Pool,
    @Inject(PROFILE) readonly profile: Profile,
  ) {}

  @Handles(contract.readDuePayments)
  async due(page: { readonly after?: contract.DuePlace; readonly limit: number }) {
    const now = this.clock.now();
    return { now, ...(await readDuePage(this, now, page)) };
  }

  @Handles(contract.readSettlementStates)
  async readStates({ payments }: { readonly payments: readonly contract.TransactionRef[] }) {
    const loaded = await this.store.loadMany(payments.map(streamOf));
    const baskets = [...loaded.values()].flatMap(({ state }) => state.basketId ?? []);
    const waiting = await waitingStreams(this.pool, [...loaded.keys(), ...baskets]);
    const now = this.clock.now();
    return {
      payments: payments.flatMap((payment) => {
        const state = loaded.get(streamOf(payment))?.state;
        const number = payment.partOf?.number;
        if (state === undefined) return [];
        const { paymentId } = payment;
        const waits = waiting.has(streamOf(payment)) || waiting.has(state.basketId ?? '');
        return [{ paymentId, ended: hasEnded(state, number), due: !waits && isDueAt(state, number, now) }];
      }),
    };
  }

  /** The records of one payment initiation are stored together, in their order. */
  @Handles(contract.recordSettlement)
  async record({ records }: { readonly records: readonly contract.SettlementRecord[] }) {
    const now = this.clock.now();
    const byStream = Map.groupBy(records, streamOf);
    const recorded = new Map<string, RecordedSteps>();
    const changed = await this.store.changeMany(
      [...byStream.keys()],
      (state, streamId) => {
        const steps = recordSteps(state, byStream.get(streamId) ?? [], now, this.profile);
        recorded.set(streamId, steps);
        return steps;
      },
      { actor, guarded: (streamId) => (byStream.get(streamId) ?? []).some(beginsSettlement) },
    );
    failpoint('payments.after-record');
    const results = [...byStream].flatMap(([streamId, ofStream]) => {
      const outcome = changed.get(streamId);
      // Overtaken five times is no decision about the payment: the worker has to ask again.
      if (outcome !== undefined && 'refused' in outcome && outcome.refused.failure === 'dependencyDown')
        throw new CallFailed([outcome.refused]);
      return recorded.get(streamId)?.results ?? ofStream.map(unknownPayment);
    });
    return { results };
  }
}

/** After it money is moved, and nobody can cancel any more. */
const beginsSettlement = ({ step }: contract.SettlementRecord): boolean => step === 'settlement-started';

const unknownPayment = ({ paymentId }: contract.SettlementRecord): contract.SettlementRecorded => ({
  paymentId,
  recorded: false,
  ended: false,
});
