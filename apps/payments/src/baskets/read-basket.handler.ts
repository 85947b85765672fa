import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { type BasketView, readBasket } from '@xs2a/contracts/baskets.contract';
import { BasketReads } from './basket-reads.js';

/** GET of a basket by the TPP that created it (contract 10). */
export class ReadBasket extends QueryOf(readBasket) {}

/** Returns the basket with the status of each item, so that the TPP sees which of them failed. */
@QueryHandler(ReadBasket)
export class ReadBasketHandler implements IQueryHandler<ReadBasket> {
  constructor(private readonly reads: BasketReads) {}

  async execute({ request: ref }: ReadBasket): Promise<BasketView> {
    return this.reads.view(ref);
  }
}
