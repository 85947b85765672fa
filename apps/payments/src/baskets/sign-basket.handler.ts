import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import * as contract from '@xs2a/contracts/baskets.contract';
import type { AnswerOf } from '@xs2a/contracts/call';
import { signBasket } from '@xs2a/domain/basket/authorise-basket';
import type { BasketState } from '@xs2a/domain/basket/basket-state';
import { callFailed } from '@xs2a/domain/failure/failed';
import { signaturesMissing } from '@xs2a/domain/sca/authorisations';
import { Clock } from '@xs2a/runtime/clock';
import { findAuthorisation } from '../authorise/find-authorisation.js';
import { BasketConsents } from './basket-consents.js';
import { BasketReads, getStatus } from './basket-reads.js';
import { BasketStore } from './basket-store.js';
import { UpdateItems } from './update-items.js';

type Signed = AnswerOf<typeof contract.signBasket>;

/** A PSU has completed SCA for the basket (contract 10). */
export class SignBasket extends CommandOf(contract.signBasket) {}

/**
 * Records the signature. A late signature rejects the basket and is answered with an error, because only a
 * recorded signature may be confirmed.
 */
@CommandHandler(SignBasket)
export class SignBasketHandler implements ICommandHandler<SignBasket> {
  constructor(
    private readonly reads: BasketReads,
    private readonly store: BasketStore,
    private readonly updates: UpdateItems,
    private readonly consents: BasketConsents,
    private readonly clock: Clock,
  ) {}

  async execute({ request }: SignBasket): Promise<Signed> {
    const { basketId, authorisationId, psuId, chosenIbans } = request;
    const { state } = await this.reads.authorisation(request);
    const chosen = await this.chosenAccounts(state, psuId, chosenIbans);
    const now = this.clock.now();
    const basket = await this.store.change(
      basketId,
      (current) => signBasket(current, { authorisationId, psuId, now, ...chosen }),
      { actor: 'psu' },
    );
    await this.updates.orLater(basket);
    const isSigned = findAuthorisation(basket, authorisationId).scaStatus === 'finalised';
    if (!isSigned) throw callFailed('statusForbidsAuthorisation');
    return { transactionStatus: getStatus(basket), signaturesMissing: signaturesMissing(basket) };
  }

  /**
   * Returns the accounts to which a signature grants access, for consents that leave the choice to the PSU. Throws
   * fieldMalformed (path `accounts`).
   */
  private async chosenAccounts(
    basket: BasketState,
    psuId: string,
    chosenIbans: readonly string[] = basket.chosenIbans ?? [],
  ): Promise<{ readonly chosenIbans?: readonly string[] }> {
    const isToBeChosen = (await this.consents.read(basket)).some(({ psuPicksAccounts }) => psuPicksAccounts);
    if (!isToBeChosen) return {};
    const openable = new Set((await this.consents.openableAccounts(basket, psuId)).map(({ iban }) => iban));
    if (chosenIbans.length === 0 || !chosenIbans.every((iban) => openable.has(iban)))
      throw callFailed('fieldMalformed', 'accounts', 'Choose at least one of your accounts.');
    return { chosenIbans };
  }
}
