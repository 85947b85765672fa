import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import { clearPayments } from '@xs2a/contracts/payments.contract';
import { cancelBasket } from '@xs2a/domain/basket/decide-basket';
import { cancelPayment } from '@xs2a/domain/payment/decide-payment';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { Clock } from '@xs2a/runtime/clock';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { BASKET_STORE, type BasketStore } from '../baskets/basket-store.js';
import { UpdateItems } from '../baskets/update-items.js';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';

/**
 * The maximum number of payments changed at a time, because a bulk payment's state may be as large as half a
 * megabyte.
 */
const maxBatch = 50;

/** A TPP in the sandbox starts over (contract 13). Money that has already moved is not moved back. */
export class ClearPayments extends CommandOf(clearPayments) {}

/**
 * Cancels everything that can be cancelled, baskets first, and hides all of the TPP's payments from it, in batches
 * of limited size.
 */
@CommandHandler(ClearPayments)
export class ClearPaymentsHandler implements ICommandHandler<ClearPayments> {
  constructor(
    @Inject(PAYMENT_STORE) private readonly store: PaymentStore,
    @Inject(BASKET_STORE) private readonly baskets: BasketStore,
    private readonly updates: UpdateItems,
    @Inject(POOL) private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  async execute({ request: { tppId } }: ClearPayments): Promise<Record<string, never>> {
    await this.cancelBaskets(tppId);
    for (;;) {
      const ids = await this.visibleIds(tppId);
      if (ids.length === 0) return {};
      const results = await this.store.many.change(
        ids,
        (state) => {
          const decision = cancelPayment(state, { tppId, now: this.clock.now() });
          return 'refused' in decision ? { events: [] } : decision;
        },
        { actor: tppId },
      );
      const failed = [...results.values()].find((result) => 'refused' in result);
      if (failed !== undefined && 'refused' in failed) throw new CallFailed([failed.refused]);
      await this.hide(ids);
    }
  }

  private async cancelBaskets(tppId: string): Promise<void> {
    const { rows } = await this.pool.query<{ stream_id: string }>({
      name: 'baskets-open',
      text: "SELECT stream_id FROM basket_view WHERE tpp_id = $1 AND stage = 'received'",
      values: [tppId],
    });
    const ids = rows.map(({ stream_id }) => stream_id);
    const results = await this.baskets.many.change(ids, (state) => cancelBasket(state, { tppId }), {
      actor: tppId,
    });
    for (const result of results.values()) if ('state' in result) await this.updates.of(result.state);
  }

  private async visibleIds(tppId: string): Promise<string[]> {
    const { rows } = await this.pool.query<{ stream_id: string }>({
      name: 'payments-visible',
      text: 'SELECT stream_id FROM payment_view WHERE tpp_id = $1 AND NOT hidden LIMIT $2',
      values: [tppId, maxBatch],
    });
    return rows.map(({ stream_id }) => stream_id);
  }

  private async hide(ids: readonly string[]): Promise<void> {
    await this.pool.query({
      name: 'payments-hide',
      text: 'UPDATE payment_view SET hidden = true WHERE stream_id = ANY($1::uuid[])',
      values: [ids],
    });
  }
}
