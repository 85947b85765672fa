import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { BasketRef, readBasketAuthorisations } from '@xs2a/contracts/baskets.contract';
import type { AnswerOf } from '@xs2a/contracts/call';
import { BasketReads } from './basket-reads.js';

type Answer = AnswerOf<typeof readBasketAuthorisations>;

/** GET …/authorisations of a basket, and of one of them (contract 10). */
export class ReadBasketAuthorisations extends Query<Answer> {
  constructor(readonly ref: BasketRef) {
    super();
  }
}

/** Lists the basket's authorisations in the order in which they were started. */
@QueryHandler(ReadBasketAuthorisations)
export class ReadBasketAuthorisationsHandler implements IQueryHandler<ReadBasketAuthorisations> {
  constructor(private readonly reads: BasketReads) {}

  async execute({ ref }: ReadBasketAuthorisations): Promise<Answer> {
    const { authorisations } = (await this.reads.ofTpp(ref)).state;
    return {
      authorisations: authorisations.map(({ authorisationId, scaStatus }) => ({
        authorisationId,
        scaStatus,
      })),
    };
  }
}
