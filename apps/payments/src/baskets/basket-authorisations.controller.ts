import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Handles } from '@xs2a/calls/handles';
import * as contract from '@xs2a/contracts/baskets.contract';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import { AcceptBasket } from './accept-basket.handler.js';
import { ListBasketAccounts } from './pages/list-accounts.handler.js';
import { ReadBasketAuthorisation } from './pages/read-authorisation.handler.js';
import { ReadBasketPayments } from './pages/read-payments.handler.js';
import { RejectBasket } from './reject-basket.handler.js';
import { SignBasket } from './sign-basket.handler.js';

/** Answers the SCA pages, on which a PSU signs or rejects every item of a basket at once (contract 10, 12). */
@Controller()
export class BasketAuthorisationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Handles(contract.readBasketAuthorisation)
  async read(ref: contract.BasketAuthorisationRef): Promise<contract.BasketAuthorisation> {
    return this.queries.execute(new ReadBasketAuthorisation(ref));
  }

  @Handles(contract.readBasketPayments)
  async readPayments(
    request: RequestOf<typeof contract.readBasketPayments>,
  ): Promise<AnswerOf<typeof contract.readBasketPayments>> {
    return this.queries.execute(new ReadBasketPayments(request));
  }

  @Handles(contract.listBasketAccounts)
  async listAccounts(
    request: RequestOf<typeof contract.listBasketAccounts>,
  ): Promise<AnswerOf<typeof contract.listBasketAccounts>> {
    return this.queries.execute(new ListBasketAccounts(request));
  }

  @Handles(contract.acceptBasket)
  async accept(
    request: RequestOf<typeof contract.acceptBasket>,
  ): Promise<AnswerOf<typeof contract.acceptBasket>> {
    return this.commands.execute(new AcceptBasket(request));
  }

  @Handles(contract.signBasket)
  async sign(request: RequestOf<typeof contract.signBasket>): Promise<AnswerOf<typeof contract.signBasket>> {
    return this.commands.execute(new SignBasket(request));
  }

  @Handles(contract.rejectBasket)
  async reject(
    request: RequestOf<typeof contract.rejectBasket>,
  ): Promise<AnswerOf<typeof contract.rejectBasket>> {
    return this.commands.execute(new RejectBasket(request));
  }
}
