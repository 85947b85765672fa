import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { mustBeId } from '@xs2a/calls/checks';
import { QueryOf } from '@xs2a/calls/handlers';
import {
  type BasketFacts,
  maxTimelineEvents,
  type PaymentFacts,
  readPaymentTimeline,
  type Timeline,
} from '@xs2a/contracts/timeline.contract';
import { getService, listOrders, type PaymentState } from '@xs2a/domain/payment/payment-state';
import type { PaymentOrder } from '@xs2a/domain/payment/payment-events';
import { lastFour } from '@xs2a/resources/masking';
import { readTimeline } from '@xs2a/resources/timeline';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { BASKET_STORE, type BasketStore } from '../baskets/basket-store.js';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';

/** The console's page of a payment or a signing basket. */
export class ReadTimeline extends QueryOf(readPaymentTimeline) {}

@QueryHandler(ReadTimeline)
export class ReadTimelineHandler implements IQueryHandler<ReadTimeline> {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(PAYMENT_STORE) private readonly payments: PaymentStore,
    @Inject(BASKET_STORE) private readonly baskets: BasketStore,
  ) {}

  async execute({
    request: { id },
  }: ReadTimeline): Promise<{ readonly timeline?: Timeline<PaymentFacts | BasketFacts> }> {
    mustBeId(id);
    const stream = await readTimeline(this.pool, 'payments', id, maxTimelineEvents);
    if (stream === undefined) return {};
    const described = await this.describe(id);
    return described === undefined ? {} : { timeline: { ...described, ...stream } };
  }

  private async describe(
    id: string,
  ): Promise<Pick<Timeline<PaymentFacts | BasketFacts>, 'tppId' | 'facts'> | undefined> {
    const payment = await this.payments.load(id);
    if (payment !== undefined) return { tppId: payment.state.tppId, facts: toFacts(payment.state) };
    const basket = await this.baskets.load(id);
    if (basket === undefined) return undefined;
    const { tppId, paymentIds, consentIds } = basket.state;
    return { tppId, facts: { kind: 'signing-basket', paymentIds, consentIds } };
  }
}

const toFacts = (state: PaymentState): PaymentFacts => {
  const orders = listOrders(state);
  // After an erasure, an order has no account numbers any more.
  const [first, ...others]: readonly Partial<PaymentOrder>[] = orders;
  const hasOneCreditor = others.length === 0;
  return {
    kind: 'payment',
    service: getService(state),
    product: state.product,
    amount: {
      minor: orders.reduce((sum, { amount }) => sum + amount.minor, 0),
      currency: orders[0]?.amount.currency ?? '',
    },
    debtor: endOf(first?.debtorIban),
    creditor: hasOneCreditor ? endOf(first?.creditorAccount) : null,
  };
};

const endOf = (account: string | undefined): string | null =>
  account === undefined ? null : lastFour(account);
