import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Handles } from '@xs2a/calls/handles';
import * as contract from '@xs2a/contracts/baskets.contract';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import type { AuthorisationStarted, StartAuthorisation } from '@xs2a/contracts/payments.contract';
import { CancelBasket } from './cancel-basket.handler.js';
import { CreateBasket } from './create-basket.handler.js';
import { ReadBasketAuthorisations } from './read-basket-authorisations.handler.js';
import { ReadBasketStatus } from './read-basket-status.handler.js';
import { ReadBasket } from './read-basket.handler.js';
import { StartBasketAuthorisation } from './start-authorisation.handler.js';

/** Answers a TPP's calls about its signing baskets (contract 10). */
@Controller()
export class BasketsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Handles(contract.createBasket)
  async create(request: contract.CreateBasket): Promise<contract.BasketCreated> {
    return this.commands.execute(new CreateBasket(request));
  }

  @Handles(contract.readBasket)
  async read(ref: contract.BasketRef): Promise<contract.BasketView> {
    return this.queries.execute(new ReadBasket(ref));
  }

  @Handles(contract.readBasketStatus)
  async readStatus(ref: contract.BasketRef): Promise<contract.BasketStatusView> {
    return this.queries.execute(new ReadBasketStatus(ref));
  }

  @Handles(contract.readBasketAuthorisations)
  async readAuthorisations(
    ref: contract.BasketRef,
  ): Promise<AnswerOf<typeof contract.readBasketAuthorisations>> {
    return this.queries.execute(new ReadBasketAuthorisations(ref));
  }

  @Handles(contract.startBasketAuthorisation)
  async startAuthorisation(request: contract.BasketRef & StartAuthorisation): Promise<AuthorisationStarted> {
    return this.commands.execute(new StartBasketAuthorisation(request));
  }

  @Handles(contract.cancelBasket)
  async cancel(request: RequestOf<typeof contract.cancelBasket>): Promise<Record<string, never>> {
    return this.commands.execute(new CancelBasket(request));
  }
}
