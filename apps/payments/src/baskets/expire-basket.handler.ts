import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import { expireBasket } from '@xs2a/contracts/baskets.contract';
import { expireBasketNow } from '@xs2a/domain/basket/authorise-basket';
import type { BasketState } from '@xs2a/domain/basket/basket-state';
import { refuse } from '@xs2a/domain/decision';
import { BASKET_STORE, type BasketStore } from './basket-store.js';
import { UpdateItems } from './update-items.js';

/** A TPP in the sandbox lets the time to sign an item of this basket end (contract 10, 13). */
export class ExpireBasket extends CommandOf(expireBasket) {}

/** Rejects an unsigned basket and its items. */
@CommandHandler(ExpireBasket)
export class ExpireBasketHandler implements ICommandHandler<ExpireBasket> {
  constructor(
    @Inject(BASKET_STORE) private readonly store: BasketStore,
    private readonly updates: UpdateItems,
  ) {}

  async execute({ request: { tppId, basketId } }: ExpireBasket): Promise<Record<string, never>> {
    const decide = (state: BasketState) =>
      state.tppId === tppId ? expireBasketNow(state) : refuse('resourceUnknown');
    await this.updates.orLater(await this.store.change(basketId, decide, { actor: tppId }));
    return {};
  }
}
