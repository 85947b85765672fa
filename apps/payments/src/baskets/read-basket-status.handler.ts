import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { BasketRef, BasketStatusView } from '@xs2a/contracts/baskets.contract';
import { BasketReads } from './basket-reads.js';

/** GET …/status of a basket (contract 10). */
export class ReadBasketStatus extends Query<BasketStatusView> {
  constructor(readonly ref: BasketRef) {
    super();
  }
}

/** Answers the basket's status, for which its payments are read and its consents are not. */
@QueryHandler(ReadBasketStatus)
export class ReadBasketStatusHandler implements IQueryHandler<ReadBasketStatus> {
  constructor(private readonly reads: BasketReads) {}

  async execute({ ref }: ReadBasketStatus): Promise<BasketStatusView> {
    return this.reads.status(ref);
  }
}
