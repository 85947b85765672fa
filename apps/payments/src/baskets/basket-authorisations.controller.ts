import { Controller, Inject } from '@nestjs/common';
import type { PsuAccount } from '@xs2a/contracts/accounts.contract';
import * as contract from '@xs2a/contracts/baskets.contract';
import type { RequestOf } from '@xs2a/contracts/call';
import { acceptBasket, rejectBasket, signBasket } from '@xs2a/domain/basket/authorise-basket';
import type { BasketState } from '@xs2a/domain/basket/basket-state';
import { type BasketStatus, basketStatusOf } from '@xs2a/domain/basket/basket-transitions';
import { debtorFailure, isTaken } from '@xs2a/domain/payment/authorise-payment';
import type { RejectionReason } from '@xs2a/domain/payment/payment-events';
import { firstOrderOf, ordersOf, type PaymentState, serviceOf } from '@xs2a/domain/payment/payment-state';
import type { Profile } from '@xs2a/domain/profile/profile';
import { authorisationIn, signaturesMissing, signersOf } from '@xs2a/domain/sca/authorisations';
import { callFailed } from '@xs2a/domain/failure/failed';
import { Handles } from '@xs2a/calls/handles';
import { Requester } from '@xs2a/calls/requester';
import { Clock } from '@xs2a/runtime/clock';
import { PROFILE } from '@xs2a/runtime/tokens';
import { DebtorAccounts } from '../authorise/debtor-accounts.js';
import { BasketReads } from './basket-reads.js';
import { BasketStore } from './basket-store.js';
import { UpdateItems } from './update-items.js';

type WithPsu = contract.BasketAuthorisationRef & { readonly psuId: string };

/** Answers the SCA pages, on which a PSU signs or rejects every item of a basket at once (contract 10, 12). */
@Controller()
export class BasketAuthorisationsController {
  constructor(
    private readonly reads: BasketReads,
    private readonly store: BasketStore,
    private readonly updates: UpdateItems,
    private readonly debtorAccounts: DebtorAccounts,
    private readonly requester: Requester,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  @Handles(contract.readBasketAuthorisation)
  async read(ref: contract.BasketAuthorisationRef): Promise<contract.BasketAuthorisation> {
    const { state, status } = await this.reads.authorisation(ref);
    const [payments, consents] = await Promise.all([this.reads.paymentsOf(state), this.consentsOf(state)]);
    const authorisation = authorisationIn(state, ref.authorisationId);
    if (authorisation === undefined) throw callFailed('resourceUnknown');
    return {
      ...ref,
      tppId: state.tppId,
      scaStatus: authorisation.scaStatus,
      transactionStatus: status,
      namedPsuId: authorisation.namedPsuId,
      psuId: authorisation.psuId,
      payments: payments.map(shownPayment),
      consents,
      agreedIbans: state.chosenIbans,
      redirectUris: authorisation.redirectUris ?? state.redirectUris,
      expiresAt: state.expiresAt,
      signaturesMissing: signaturesMissing(state),
      signedBy: signersOf(state),
      isTaken: isTaken(state),
    };
  }

  @Handles(contract.acceptBasket)
  async accept(request: WithPsu) {
    const { basketId, authorisationId, psuId } = request;
    const { state } = await this.reads.authorisation(request);
    const itemFailure = await this.itemFailure(state, request);
    const now = this.clock.now();
    const basket = await this.store.change(
      basketId,
      (current) => acceptBasket(current, { authorisationId, psuId, now, itemFailure }),
      { actor: psuId },
    );
    await this.updates.orLater(basket);
    return { scaStatus: scaStatusIn(basket, authorisationId), rejectionReason: basket.rejectionReason };
  }

  @Handles(contract.listBasketAccounts)
  async accounts(request: WithPsu) {
    const { state } = await this.reads.authorisation(request);
    return { accounts: await this.openable(state, request.psuId) };
  }

  /** One that comes too late rejects the basket, and is refused: only a signature is answered as one. */
  @Handles(contract.signBasket)
  async sign(request: RequestOf<typeof contract.signBasket>) {
    const { basketId, authorisationId, psuId, chosenIbans } = request;
    const { state } = await this.reads.authorisation(request);
    const chosen = await this.chosen(state, psuId, chosenIbans);
    const now = this.clock.now();
    const basket = await this.store.change(
      basketId,
      (current) => signBasket(current, { authorisationId, psuId, now, ...chosen }),
      { actor: psuId },
    );
    await this.updates.orLater(basket);
    if (scaStatusIn(basket, authorisationId) !== 'finalised') throw callFailed('statusForbidsAuthorisation');
    return { transactionStatus: statusOf(basket), signaturesMissing: signaturesMissing(basket) };
  }

  @Handles(contract.rejectBasket)
  async reject(request: RequestOf<typeof contract.rejectBasket>) {
    const { basketId, psuId } = request;
    await this.reads.authorisation(request);
    const basket = await this.store.change(basketId, (state) => rejectBasket(state, request), {
      actor: psuId ?? 'sca',
    });
    await this.updates.orLater(basket);
    return { transactionStatus: statusOf(basket) };
  }

  /** Why this PSU cannot sign one of the items; undefined: the PSU can sign all. */
  private async itemFailure(basket: BasketState, request: WithPsu): Promise<RejectionReason | undefined> {
    const { psuId, authorisationId } = request;
    const { tppId, basketId, consentIds } = basket;
    for (const payment of await this.reads.paymentsOf(basket)) {
      const debtor = await this.debtorAccounts.ofPsu(firstOrderOf(payment).debtorIban, psuId);
      const failure = debtorFailure(payment, debtor, this.profile);
      if (failure !== undefined) return failure;
    }
    if (consentIds.length === 0) return undefined;
    const check = { tppId, basketId, consentIds, authorisationId, psuId };
    return (await this.requester.call(contract.checkConsentItems, check)).reason;
  }

  private async consentsOf({ tppId, consentIds }: BasketState): Promise<readonly contract.ConsentItem[]> {
    if (consentIds.length === 0) return [];
    const { consents } = await this.requester.call(contract.readConsentItems, { tppId, consentIds });
    return consentIds.flatMap((id) => consents.find(({ consentId }) => consentId === id) ?? []);
  }

  private async openable(
    { tppId, basketId, consentIds }: BasketState,
    psuId: string,
  ): Promise<readonly PsuAccount[]> {
    if (consentIds.length === 0) return [];
    const ask = { tppId, basketId, consentIds, psuId };
    return (await this.requester.call(contract.listConsentItemAccounts, ask)).accounts;
  }

  /** The accounts that a signature opens where consents leave the choice to the PSU. Throws fieldMalformed (path `accounts`). */
  private async chosen(
    basket: BasketState,
    psuId: string,
    chosenIbans: readonly string[] = basket.chosenIbans ?? [],
  ): Promise<{ readonly chosenIbans?: readonly string[] }> {
    const isToBeChosen = (await this.consentsOf(basket)).some(({ psuPicksAccounts }) => psuPicksAccounts);
    if (!isToBeChosen) return {};
    const openable = new Set((await this.openable(basket, psuId)).map(({ iban }) => iban));
    if (chosenIbans.length === 0 || !chosenIbans.every((iban) => openable.has(iban)))
      throw callFailed('fieldMalformed', 'accounts', 'Choose at least one of your accounts.');
    return { chosenIbans };
  }
}

const scaStatusIn = (state: BasketState, authorisationId: string) => {
  const authorisation = authorisationIn(state, authorisationId);
  if (authorisation === undefined) throw callFailed('resourceUnknown');
  return authorisation.scaStatus;
};

const statusOf = ({ stage }: BasketState): BasketStatus => {
  const status = basketStatusOf(stage);
  if (status === undefined) throw callFailed('resourceUnknown');
  return status;
};

const shownPayment = (state: PaymentState): contract.BasketPayment => ({
  paymentId: state.paymentId,
  service: serviceOf(state),
  product: state.product,
  paymentType: state.paymentType,
  orders: ordersOf(state),
  body: state.body,
  ...(state.service === 'periodic-payments' ? {} : { requestedExecutionDate: state.requestedExecutionDate }),
});
