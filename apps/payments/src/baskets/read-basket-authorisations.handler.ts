import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { readBasketAuthorisations } from '@xs2a/contracts/baskets.contract';
import type { AnswerOf } from '@xs2a/contracts/call';
import { BasketReads } from './basket-reads.js';

type Answer = AnswerOf<typeof readBasketAuthorisations>;

/** GET …/authorisations of a basket: the list, and a single authorisation (contract 10). */
export class ReadBasketAuthorisations extends QueryOf(readBasketAuthorisations) {}

/** Lists the basket's authorisations in the order in which they were started. */
@QueryHandler(ReadBasketAuthorisations)
export class ReadBasketAuthorisationsHandler implements IQueryHandler<ReadBasketAuthorisations> {
  constructor(private readonly reads: BasketReads) {}

  async execute({ request: ref }: ReadBasketAuthorisations): Promise<Answer> {
    const { authorisations } = (await this.reads.ofTpp(ref)).state;
    return {
      authorisations: authorisations.map(({ authorisationId, scaStatus }) => ({
        authorisationId,
        scaStatus,
      })),
    };
  }
}
