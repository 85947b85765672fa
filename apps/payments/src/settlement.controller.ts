import { Controller, Inject } from '@nestjs/common';
import * as contract from '@xs2a/contracts/payments.contract';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import { isDueAt } from '@xs2a/domain/payment/settlement-due';
import { decideSettlementStep } from '@xs2a/domain/payment/settlement-steps';
import type { Profile } from '@xs2a/domain/profile/profile';
import { CallFailed } from '@xs2a/messaging/call-failed';
import { Handles } from '@xs2a/messaging/handles';
import { Clock } from '@xs2a/runtime/clock';
import { failpoint } from '@xs2a/runtime/failpoint';
import { POOL, PROFILE } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { readDuePage } from './due-payments.js';
import { PaymentStore } from './payment-store.js';
import { inRounds, recordedOf } from './record-settlement.js';

const actor = 'settlement';

/**
 * Answers the settlement worker: which payments are due, in which status given payments are, and records what it did,
 * a batch at a time.
 */
@Controller()
export class SettlementController {
  constructor(
    private readonly store: PaymentStore,
    private readonly clock: Clock,
    @Inject(POOL) private readonly pool: Pool,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  @Handles(contract.readDuePayments)
  async due(page: { readonly after?: contract.DuePlace; readonly limit: number }) {
    const now = this.clock.now();
    return { now, ...(await readDuePage(this.pool, now, page)) };
  }

  @Handles(contract.readSettlementStates)
  async readStates({ paymentIds }: { readonly paymentIds: readonly string[] }) {
    const payments = await this.store.loadMany(paymentIds);
    const now = this.clock.now();
    return {
      payments: [...payments.values()].map(({ state }) => ({
        paymentId: state.paymentId,
        transactionStatus: state.status,
        fundsAvailable: state.fundsAvailable,
        due: isDueAt(state, now),
      })),
    };
  }

  @Handles(contract.recordSettlement)
  async record({ records }: { readonly records: readonly contract.SettlementRecord[] }) {
    const results: contract.SettlementRecorded[] = [];
    for (const round of inRounds(records)) results.push(...(await this.recordRound(round)));
    return { results };
  }

  private async recordRound(
    records: readonly contract.SettlementRecord[],
  ): Promise<contract.SettlementRecorded[]> {
    const now = this.clock.now();
    const byId = new Map(records.map((record) => [record.paymentId, record]));
    const refused = new Map<string, PaymentState>();
    const results = await this.store.changeMany(
      [...byId.keys()],
      (state, paymentId) => {
        const record = byId.get(paymentId);
        if (record === undefined) return { events: [] };
        const decision = decideSettlementStep(state, record, now, this.profile);
        if ('refused' in decision) refused.set(paymentId, state);
        return decision;
      },
      { actor },
    );
    failpoint('payments.after-record');
    return records.map(({ paymentId }) => {
      const changed = results.get(paymentId);
      // Overtaken five times is no decision about the payment: the worker has to ask again.
      if (changed !== undefined && 'refused' in changed && changed.refused.failure === 'dependencyDown') {
        throw new CallFailed([changed.refused]);
      }
      return recordedOf(paymentId, changed, refused.get(paymentId));
    });
  }
}
