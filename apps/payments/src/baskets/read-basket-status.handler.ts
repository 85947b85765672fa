import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { type BasketStatusView, readBasketStatus } from '@xs2a/contracts/baskets.contract';
import { BasketReads } from './basket-reads.js';

/** GET …/status of a basket (contract 10). */
export class ReadBasketStatus extends QueryOf(readBasketStatus) {}

/** Returns the basket's status, for which it reads the basket's payments but not its consents. */
@QueryHandler(ReadBasketStatus)
export class ReadBasketStatusHandler implements IQueryHandler<ReadBasketStatus> {
  constructor(private readonly reads: BasketReads) {}

  async execute({ request: ref }: ReadBasketStatus): Promise<BasketStatusView> {
    return this.reads.status(ref);
  }
}
