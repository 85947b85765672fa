import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import * as contract from '@xs2a/contracts/baskets.contract';
import { cancelBasket } from '@xs2a/domain/basket/decide-basket';
import { BasketReads } from './basket-reads.js';
import { BASKET_STORE, type BasketStore } from './basket-store.js';
import { UpdateItems } from './update-items.js';

/** DELETE of a basket by the TPP that created it (contract 10). */
export class CancelBasket extends CommandOf(contract.cancelBasket) {}

/** Cancels a basket that nobody has signed, and releases its items. */
@CommandHandler(CancelBasket)
export class CancelBasketHandler implements ICommandHandler<CancelBasket> {
  constructor(
    private readonly reads: BasketReads,
    @Inject(BASKET_STORE) private readonly store: BasketStore,
    private readonly updates: UpdateItems,
  ) {}

  async execute({ request }: CancelBasket): Promise<Record<string, never>> {
    const { tppId, basketId, idempotencyKey } = request;
    await this.reads.ofTpp(request);
    const basket = await this.store.change(
      basketId,
      (state) => cancelBasket(state, { tppId, idempotencyKey }),
      { actor: tppId },
    );
    await this.updates.orLater(basket);
    return {};
  }
}
