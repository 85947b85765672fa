import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { BasketRef, BasketView } from '@xs2a/contracts/baskets.contract';
import { BasketReads } from './basket-reads.js';

/** GET of a basket by the TPP that created it (contract 10). */
export class ReadBasket extends Query<BasketView> {
  constructor(readonly ref: BasketRef) {
    super();
  }
}

/** Answers the basket with the status of each item, so that a TPP sees which of them failed. */
@QueryHandler(ReadBasket)
export class ReadBasketHandler implements IQueryHandler<ReadBasket> {
  constructor(private readonly reads: BasketReads) {}

  async execute({ ref }: ReadBasket): Promise<BasketView> {
    return this.reads.view(ref);
  }
}
