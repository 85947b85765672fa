import { Controller } from '@nestjs/common';
import * as contract from '@xs2a/contracts/baskets.contract';
import type { AuthorisationStarted, StartAuthorisation } from '@xs2a/contracts/payments.contract';
import { cancelBasket } from '@xs2a/domain/basket/decide-basket';
import { Handles } from '@xs2a/calls/handles';
import { BasketCreation } from './create-basket.js';
import { BasketReads } from './basket-reads.js';
import { BasketStore } from './basket-store.js';
import { FurtherBasketAuthorisation } from './further-authorisation.js';
import { UpdateItems } from './update-items.js';

/** Answers a TPP's calls about its signing baskets (contract 10). */
@Controller()
export class BasketsController {
  constructor(
    private readonly creation: BasketCreation,
    private readonly furtherAuthorisation: FurtherBasketAuthorisation,
    private readonly reads: BasketReads,
    private readonly store: BasketStore,
    private readonly updates: UpdateItems,
  ) {}

  @Handles(contract.createBasket)
  async create(request: contract.CreateBasket): Promise<contract.BasketCreated> {
    return this.creation.create(request);
  }

  @Handles(contract.readBasket)
  async read(ref: contract.BasketRef): Promise<contract.BasketView> {
    return this.reads.view(ref);
  }

  @Handles(contract.readBasketStatus)
  async readStatus(ref: contract.BasketRef): Promise<contract.BasketStatusView> {
    return this.reads.status(ref);
  }

  @Handles(contract.readBasketAuthorisations)
  async readAuthorisations(ref: contract.BasketRef) {
    const { authorisations } = (await this.reads.ofTpp(ref)).state;
    return {
      authorisations: authorisations.map(({ authorisationId, scaStatus }) => ({
        authorisationId,
        scaStatus,
      })),
    };
  }

  @Handles(contract.startBasketAuthorisation)
  async startAuthorisation(request: contract.BasketRef & StartAuthorisation): Promise<AuthorisationStarted> {
    return this.furtherAuthorisation.start(request);
  }

  @Handles(contract.cancelBasket)
  async cancel(
    ref: contract.BasketRef & { readonly idempotencyKey?: string },
  ): Promise<Record<string, never>> {
    const { tppId, basketId, idempotencyKey } = ref;
    await this.reads.ofTpp(ref);
    const basket = await this.store.change(
      basketId,
      (state) => cancelBasket(state, { tppId, idempotencyKey }),
      { actor: tppId },
    );
    await this.updates.orLater(basket);
    return {};
  }
}
