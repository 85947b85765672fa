import { Inject, Injectable } from '@nestjs/common';
import type { BasketState } from '@xs2a/domain/basket/basket-state';
import { recordItemsUpdated } from '@xs2a/domain/basket/decide-basket';
import type { Logger } from '@xs2a/observability/logger';
import { failpoint } from '@xs2a/runtime/failpoint';
import { LOGGER } from '@xs2a/runtime/tokens';
import { BasketItems } from './basket-items.js';
import { BasketStore } from './basket-store.js';

/** Carries what a basket has become into its items, and records that in the basket. */
@Injectable()
export class UpdateItems {
  constructor(
    private readonly store: BasketStore,
    private readonly items: BasketItems,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Updates what is still to be updated. Throws CallFailed: the sweep tries again. */
  async of(basket: BasketState): Promise<void> {
    if (basket.updatesItemsSince === undefined) return;
    failpoint('payments.basket-decided');
    await this.items.update(basket);
    failpoint('payments.basket-items-updated');
    await this.store.change(basket.basketId, recordItemsUpdated, { actor: 'baskets' });
  }

  /** Does the same as {@link of}; what cannot be done now is left to the sweep, since the basket itself is decided. */
  async orLater(basket: BasketState): Promise<void> {
    try {
      await this.of(basket);
    } catch (error) {
      this.logger.warn({ error, basketId: basket.basketId }, 'the items of a basket are updated later');
    }
  }
}
