import { Inject, Injectable } from '@nestjs/common';
import type { BasketState } from '@xs2a/domain/basket/basket-state';
import { recordItemsUpdated } from '@xs2a/domain/basket/decide-basket';
import type { Logger } from '@xs2a/observability/logger';
import { failpoint } from '@xs2a/runtime/failpoint';
import { LOGGER } from '@xs2a/runtime/tokens';
import { setTimeout as wait } from 'node:timers/promises';
import { BasketItems } from './basket-items.js';
import { BASKET_STORE, type BasketStore } from './basket-store.js';

/** Milliseconds that a request waits until the items of its basket are updated. */
const patienceMs = 1000;

/** Applies a basket's outcome to its items and then marks the items as updated in the basket. */
@Injectable()
export class UpdateItems {
  constructor(
    @Inject(BASKET_STORE) private readonly store: BasketStore,
    private readonly items: BasketItems,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Updates the items that are still pending. If it throws CallFailed, the sweep retries. */
  async of(basket: BasketState): Promise<void> {
    if (basket.updatesItemsSince === undefined) return;
    failpoint('payments.basket-decided');
    await this.items.update(basket);
    failpoint('payments.basket-items-updated');
    await this.store.change(basket.basketId, recordItemsUpdated, { actor: 'baskets' });
  }

  /**
   * Like {@link of}, but leaves everything that takes longer than a second to the sweep. The outcome of the basket
   * is already decided, and the caller, who waits 1.8 s, must receive it.
   */
  async orLater(basket: BasketState): Promise<void> {
    const { basketId } = basket;
    const settled = new AbortController();
    const isLate = wait(patienceMs, true, { signal: settled.signal }).catch(() => false);
    const isDone = this.of(basket).catch((error: unknown) => {
      this.logger.warn({ error, basketId }, 'updating the items of a basket failed; will retry');
    });
    if ((await Promise.race([isLate, isDone])) === true)
      this.logger.warn({ basketId }, 'updating the items of a basket continues after the response');
    settled.abort();
  }
}
