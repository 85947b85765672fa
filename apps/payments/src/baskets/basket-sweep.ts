import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { awaitsSignature } from '@xs2a/domain/basket/basket-transitions';
import { expireBasket } from '@xs2a/domain/basket/authorise-basket';
import { abandonBasket, completeBasket } from '@xs2a/domain/basket/decide-basket';
import { hasPassed } from '@xs2a/domain/time/bank-calendar';
import type { Logger } from '@xs2a/observability/logger';
import { Batches, settleEach } from '@xs2a/postgres/batches';
import { Clock } from '@xs2a/runtime/clock';
import { Sweep } from '@xs2a/runtime/background/sweep';
import { LOGGER, POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { BASKET_STORE, type BasketStore } from './basket-store.js';
import { UpdateItems } from './update-items.js';

const batch = 100;
const everyMs = 500;
const actor = 'baskets';

/**
 * Advances baskets in the background (contract 10): abandons those that were not created in time, rejects those
 * that were not signed in time, applies pending item updates, and completes baskets whose items have all reached a
 * final status.
 */
@Injectable()
export class BasketSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweep: Sweep;
  private readonly completions = new Batches(batch);

  constructor(
    @Inject(BASKET_STORE) private readonly store: BasketStore,
    private readonly updates: UpdateItems,
    @Inject(POOL) private readonly pool: Pool,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.sweep = new Sweep({
      name: 'baskets',
      everyMs,
      clock,
      logger,
      run: async () => this.round(),
    });
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }

  /** Does all due work now; returns the number of baskets that were advanced. */
  async advanceAll(): Promise<number> {
    return this.sweep.drain();
  }

  private async round(): Promise<number> {
    let done = 0;
    const complete = async (limit: number): Promise<number> => this.complete(limit);
    await settleEach([
      async () => (done += await this.advanceDue()),
      async () => (done += await this.completions.next(complete)),
    ]);
    return done;
  }

  private async advanceDue(): Promise<number> {
    const { rows } = await this.pool.query<{ stream_id: string }>({
      name: 'baskets-due',
      text: 'SELECT stream_id FROM basket_view WHERE due_at <= $1 ORDER BY due_at LIMIT $2',
      values: [this.clock.now(), batch],
    });
    let advanced = 0;
    for (const { stream_id: basketId } of rows) {
      try {
        await this.advance(basketId);
        advanced += 1;
      } catch (error) {
        // The other baskets continue; this one is due again in the next round.
        this.logger.warn({ error, basketId }, 'completing a basket failed; will retry');
      }
    }
    return advanced;
  }

  private async advance(basketId: string): Promise<void> {
    const now = this.clock.now();
    const basket = await this.store.change(
      basketId,
      (state) => {
        if (awaitsSignature(state.stage)) return expireBasket(state, { now });
        return state.stage === 'opening' && hasPassed(state.abandonAt, now)
          ? abandonBasket(state, { failure: 'dependencyDown' })
          : { events: [] };
      },
      { actor },
    );
    await this.updates.of(basket);
  }

  /**
   * Completes baskets. Checks only their payments, because consents are valid or rejected as soon as they are
   * updated.
   */
  private async complete(limit: number): Promise<number> {
    const { rows } = await this.pool.query<{ stream_id: string }>({
      name: 'baskets-complete',
      text: `SELECT b.stream_id FROM basket_view b
        WHERE b.stage = 'signed' AND b.due_at IS NULL AND NOT EXISTS (
          SELECT FROM jsonb_array_elements_text(b.payment_ids) AS item (id)
          JOIN payment_view p ON p.stream_id = item.id::uuid
          WHERE p.status IN ('RCVD', 'PATC', 'ACSP') OR (p.status = 'ACCP' AND p.funds_available IS NOT FALSE))
        LIMIT $1`,
      values: [limit],
    });
    const ids = rows.map(({ stream_id: id }) => id);
    const changed = await this.store.many.change(ids, completeBasket, { actor });
    return [...changed.values()].filter((one) => 'state' in one && one.state.stage === 'completed').length;
  }
}
