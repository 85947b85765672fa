import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { listBasketAccounts } from '@xs2a/contracts/baskets.contract';
import type { AnswerOf } from '@xs2a/contracts/call';
import { BasketConsents } from '../basket-consents.js';
import { BasketReads } from '../basket-reads.js';

type Answer = AnswerOf<typeof listBasketAccounts>;

/** The SCA pages ask which accounts the PSU may choose from for the consents in a basket (contract 12). */
export class ListBasketAccounts extends QueryOf(listBasketAccounts) {}

/** Lists the PSU's accounts permitted by all consents in which the PSU chooses the accounts. */
@QueryHandler(ListBasketAccounts)
export class ListBasketAccountsHandler implements IQueryHandler<ListBasketAccounts> {
  constructor(
    private readonly reads: BasketReads,
    private readonly consents: BasketConsents,
  ) {}

  async execute({ request }: ListBasketAccounts): Promise<Answer> {
    const { state } = await this.reads.authorisation(request);
    return { accounts: await this.consents.openableAccounts(state, request.psuId) };
  }
}
