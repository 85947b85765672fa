import { Controller, Module } from '@nestjs/common';
import { type HoldOrder, placeHolds, postHolds, voidHolds } from '@xs2a/contracts/accounts.contract';
import {
  readSettlementStates,
  recordSettlement,
  type SettlementRecord,
} from '@xs2a/contracts/payments.contract';
import type { SandboxBank } from '@xs2a/core-banking/sandbox/sandbox-bank';
import type { Decision } from '@xs2a/domain/decision';
import * as decide from '@xs2a/domain/payment/decide-payment';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { EventStore } from '@xs2a/event-store/event-store';
import { Handles } from '@xs2a/messaging/handles';
import { Clock } from '@xs2a/runtime/clock';

/** The calls that the worker makes, by the name of what they do. */
export type Step = 'read' | 'hold' | 'started' | 'refused' | 'post' | 'settled' | 'booked' | 'void';
export type Moment = 'before' | 'after';

/**
 * The services around the worker: the real ledger and real payment streams, answered here instead of by their own
 * processes, so that a test can act, or break something, before and after each step.
 */
export const outside: {
  booking: SandboxBank['booking'];
  payments: EventStore<PaymentEvent, PaymentState>;
  profile: Profile;
  interfere: (step: Step, moment: Moment, paymentIds: readonly string[]) => Promise<void>;
} = {
  booking: undefined as unknown as SandboxBank['booking'],
  payments: undefined as unknown as EventStore<PaymentEvent, PaymentState>,
  profile: undefined as unknown as Profile,
  interfere: async () => undefined,
};

const around = async <Answer>(
  step: Step,
  ids: readonly string[],
  work: () => Promise<Answer>,
): Promise<Answer> => {
  await outside.interfere(step, 'before', ids);
  const answer = await work();
  await outside.interfere(step, 'after', ids);
  return answer;
};

const stepOf = {
  'settlement-started': 'started',
  'funds-refused': 'refused',
  settled: 'settled',
  'entry-booked': 'booked',
} as const;

@Controller()
class Outside {
  constructor(private readonly clock: Clock) {}

  @Handles(placeHolds)
  async hold({ orders }: { orders: readonly HoldOrder[] }) {
    const ids = orders.map(({ paymentId }) => paymentId);
    return around('hold', ids, async () => ({ results: await outside.booking.placeHolds(orders) }));
  }

  @Handles(postHolds)
  async post({ paymentIds }: { paymentIds: readonly string[] }) {
    return around('post', paymentIds, async () => ({ results: await outside.booking.postHolds(paymentIds) }));
  }

  @Handles(voidHolds)
  async void({ paymentIds }: { paymentIds: readonly string[] }) {
    return around('void', paymentIds, async () => {
      await outside.booking.voidHolds(paymentIds);
      return {};
    });
  }

  @Handles(readSettlementStates)
  async read({ paymentIds }: { paymentIds: readonly string[] }) {
    return around('read', paymentIds, async () => ({
      payments: [...(await outside.payments.loadMany(paymentIds)).values()].map(({ state }) => ({
        paymentId: state.paymentId,
        transactionStatus: state.status,
        fundsAvailable: state.fundsAvailable,
        bookAt: state.bookAt,
      })),
    }));
  }

  @Handles(recordSettlement)
  async record({ records }: { records: readonly SettlementRecord[] }) {
    const ids = records.map(({ paymentId }) => paymentId);
    const [first] = records;
    if (first === undefined) return { results: [] };
    return around(stepOf[first.step], ids, async () => ({ results: await this.recordAll(records) }));
  }

  private async recordAll(records: readonly SettlementRecord[]) {
    const byId = new Map(records.map((record) => [record.paymentId, record]));
    const refused = new Map<string, PaymentState>();
    const results = await outside.payments.changeMany(
      [...byId.keys()],
      (state) => {
        const record = byId.get(state.paymentId);
        const decision = record === undefined ? { events: [] } : decisionOf(state, record, this.clock.now());
        if ('refused' in decision) refused.set(state.paymentId, state);
        return decision;
      },
      { actor: 'settlement' },
    );
    return records.map(({ paymentId }) => {
      const result = results.get(paymentId);
      const recorded = result !== undefined && 'state' in result;
      const state = recorded ? result.state : refused.get(paymentId);
      return { paymentId, recorded, transactionStatus: state?.status, bookAt: state?.bookAt };
    });
  }
}

const decisionOf = (state: PaymentState, record: SettlementRecord, now: string): Decision<PaymentEvent> => {
  switch (record.step) {
    case 'settlement-started':
      return decide.startSettlement(state, { ...record, now }, outside.profile);
    case 'funds-refused':
      return decide.refuseFunds(state, record);
    case 'settled':
      return decide.settlePayment(state, record);
    case 'entry-booked':
      return decide.bookEntry(state);
  }
};

@Module({ controllers: [Outside] })
export class OutsideModule {}
