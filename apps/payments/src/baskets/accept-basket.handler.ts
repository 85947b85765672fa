import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import * as contract from '@xs2a/contracts/baskets.contract';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import { acceptBasket } from '@xs2a/domain/basket/authorise-basket';
import type { BasketState } from '@xs2a/domain/basket/basket-state';
import { debtorFailure } from '@xs2a/domain/payment/authorise-payment';
import type { RejectionReason } from '@xs2a/domain/payment/payment-events';
import { getFirstOrder } from '@xs2a/domain/payment/payment-state';
import type { Profile } from '@xs2a/domain/profile/profile';
import { Clock } from '@xs2a/runtime/clock';
import { PROFILE } from '@xs2a/runtime/tokens';
import { DebtorAccounts } from '../authorise/debtor-accounts.js';
import { findAuthorisation } from '../authorise/find-authorisation.js';
import { BasketConsents } from './basket-consents.js';
import { BasketReads } from './basket-reads.js';
import { BasketStore } from './basket-store.js';
import { UpdateItems } from './update-items.js';

type Request = RequestOf<typeof contract.acceptBasket>;
type Accepted = AnswerOf<typeof contract.acceptBasket>;

/** A PSU has signed in on the SCA pages and is about to see the basket (spec 3.4, contract 12). */
export class AcceptBasket extends CommandOf(contract.acceptBasket) {}

/** Records that the PSU may sign every item, or rejects the basket if this PSU cannot sign one of them. */
@CommandHandler(AcceptBasket)
export class AcceptBasketHandler implements ICommandHandler<AcceptBasket> {
  constructor(
    private readonly reads: BasketReads,
    private readonly store: BasketStore,
    private readonly updates: UpdateItems,
    private readonly debtorAccounts: DebtorAccounts,
    private readonly consents: BasketConsents,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  async execute({ request }: AcceptBasket): Promise<Accepted> {
    const { basketId, authorisationId, psuId } = request;
    const { state } = await this.reads.authorisation(request);
    const itemFailure = await this.itemFailure(state, request);
    const now = this.clock.now();
    const basket = await this.store.change(
      basketId,
      (current) => acceptBasket(current, { authorisationId, psuId, now, itemFailure }),
      { actor: 'psu' },
    );
    await this.updates.orLater(basket);
    const { scaStatus } = findAuthorisation(basket, authorisationId);
    return { scaStatus, rejectionReason: basket.rejectionReason };
  }

  /** Returns the reason why this PSU cannot sign one of the items, if there is one. */
  private async itemFailure(
    basket: BasketState,
    { authorisationId, psuId }: Request,
  ): Promise<RejectionReason | undefined> {
    for (const payment of await this.reads.readPayments(basket)) {
      const debtor = await this.debtorAccounts.ofPsu(getFirstOrder(payment).debtorIban, psuId);
      const failure = debtorFailure(payment, debtor, this.profile);
      if (failure !== undefined) return failure;
    }
    return this.consents.failure(basket, { authorisationId, psuId });
  }
}
