import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import * as contract from '@xs2a/contracts/baskets.contract';
import type { AnswerOf } from '@xs2a/contracts/call';
import { rejectBasket } from '@xs2a/domain/basket/authorise-basket';
import { BasketReads, getStatus } from './basket-reads.js';
import { BasketStore } from './basket-store.js';
import { UpdateItems } from './update-items.js';

type Rejected = AnswerOf<typeof contract.rejectBasket>;

/** A PSU refused the basket on the SCA pages, or SCA failed too often (contract 10). */
export class RejectBasket extends CommandOf(contract.rejectBasket) {}

/** Rejects the basket and every item in it. */
@CommandHandler(RejectBasket)
export class RejectBasketHandler implements ICommandHandler<RejectBasket> {
  constructor(
    private readonly reads: BasketReads,
    private readonly store: BasketStore,
    private readonly updates: UpdateItems,
  ) {}

  async execute({ request }: RejectBasket): Promise<Rejected> {
    const { basketId, psuId } = request;
    await this.reads.authorisation(request);
    const basket = await this.store.change(basketId, (state) => rejectBasket(state, request), {
      actor: psuId === undefined ? 'sca' : 'psu',
    });
    await this.updates.orLater(basket);
    return { transactionStatus: getStatus(basket) };
  }
}
