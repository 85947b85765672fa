import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import { readSettlementStates } from '@xs2a/contracts/payments.contract';
import { hasEnded, isDueAt } from '@xs2a/domain/payment/settlement/due';
import { waitingStreams } from '@xs2a/event-store/recovery/lost-events';
import { Clock } from '@xs2a/runtime/clock';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';
import { toStreamId } from './settlement-steps.js';

type Answer = AnswerOf<typeof readSettlementStates>;

/** The settlement worker asks for the state of transactions whose settlement it began but did not finish. */
export class ReadSettlementStates extends QueryOf(readSettlementStates) {}

/** Returns, for each transaction, whether it has ended and whether it can be processed now; omits unknown ids. */
@QueryHandler(ReadSettlementStates)
export class ReadSettlementStatesHandler implements IQueryHandler<ReadSettlementStates> {
  constructor(
    @Inject(PAYMENT_STORE) private readonly store: PaymentStore,
    private readonly clock: Clock,
    @Inject(POOL) private readonly pool: Pool,
  ) {}

  async execute({ request: { payments } }: ReadSettlementStates): Promise<Answer> {
    const loaded = await this.store.many.load(payments.map(toStreamId));
    const baskets = [...loaded.values()].flatMap(({ state }) => state.basketId ?? []);
    const waiting = await waitingStreams(this.pool, [...loaded.keys(), ...baskets]);
    const now = this.clock.now();
    return {
      payments: payments.flatMap((payment) => {
        const state = loaded.get(toStreamId(payment))?.state;
        const number = payment.partOf?.number;
        if (state === undefined) return [];
        const { paymentId } = payment;
        const waits = waiting.has(toStreamId(payment)) || waiting.has(state.basketId ?? '');
        return [{ paymentId, ended: hasEnded(state, number), due: !waits && isDueAt(state, number, now) }];
      }),
    };
  }
}
