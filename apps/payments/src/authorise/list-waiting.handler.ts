import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import {
  listWaitingPayments,
  maxWaiting,
  type WaitingApproval,
  type WaitingApprovals,
} from '@xs2a/contracts/console/waiting-approvals.contract';
import { getService, type PaymentState } from '@xs2a/domain/payment/payment-state';
import type { PaymentService } from '@xs2a/domain/payment/payment-services';
import { newestWaiting, readWaiting } from '@xs2a/resources/waiting';
import { Clock } from '@xs2a/runtime/clock';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { BASKET_STORE, type BasketStore } from '../baskets/basket-store.js';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';

const kinds: Readonly<Record<PaymentService, WaitingApproval['kind']>> = {
  payments: 'payment',
  'periodic-payments': 'periodic order',
  'bulk-payments': 'bulk payment',
};

/** The status view with the waiting payments, periodic orders and bulk payments, in which `readWaiting` searches. */
export const paymentRows = {
  view: 'payment_view',
  kindOf: (state: PaymentState) => kinds[getService(state)],
  createdAtOf: ({ createdAt }: PaymentState) => createdAt,
};
export const basketRows = { view: 'basket_view', kindOf: () => 'signing basket' as const };

/**
 * The query for the payments, periodic orders, bulk payments and signing baskets that wait for the approval of a PSU. Only the console
 * sends it, after it has recorded which member of the staff asks and why.
 */
export class ListWaiting extends QueryOf(listWaitingPayments) {}

@QueryHandler(ListWaiting)
export class ListWaitingHandler implements IQueryHandler<ListWaiting> {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(PAYMENT_STORE) private readonly payments: PaymentStore,
    @Inject(BASKET_STORE) private readonly baskets: BasketStore,
    private readonly clock: Clock,
  ) {}

  async execute({ request: { psuId } }: ListWaiting): Promise<WaitingApprovals> {
    const asked = { pool: this.pool, psuId, now: this.clock.now(), limit: maxWaiting + 1 };
    const [payments, baskets] = await Promise.all([
      readWaiting(asked, paymentRows, this.payments),
      readWaiting(asked, basketRows, this.baskets),
    ]);
    return newestWaiting([payments, baskets], maxWaiting);
  }
}
