import { Inject, Injectable } from '@nestjs/common';
import { findAuthorisation, linkedAuthorisation } from '@xs2a/authorisations/linked-authorisation';
import type { Signable } from '@xs2a/authorisations/signable';
import type { PsuAccount } from '@xs2a/contracts/accounts.contract';
import type { Identified, SignatureGiven } from '@xs2a/contracts/authorisations.contract';
import {
  type BasketAuthorisation,
  type basketAuthorisation,
  type BasketAuthorisationRef,
  type BasketRef,
  maxEntriesTogether,
} from '@xs2a/contracts/baskets.contract';
import type { RequestOf } from '@xs2a/contracts/call';
import {
  acceptBasket,
  rejectBasket,
  signBasket,
  startBasketAuthorisation,
} from '@xs2a/domain/basket/authorise-basket';
import type { BasketState } from '@xs2a/domain/basket/basket-state';
import type { BasketStatus } from '@xs2a/domain/basket/basket-transitions';
import { callFailed } from '@xs2a/domain/failure/failed';
import { debtorFailure } from '@xs2a/domain/payment/authorise-payment';
import type { RejectionReason } from '@xs2a/domain/payment/payment-events';
import { addCounts, countVerified, openPayees } from '@xs2a/domain/payee/payment-payees';
import { getFirstOrder, listOrders } from '@xs2a/domain/payment/payment-state';
import type { Profile } from '@xs2a/domain/profile/profile';
import {
  type Authorisation,
  type NewAuthorisation,
  signaturesMissing,
} from '@xs2a/domain/sca/authorisations';
import type { Appended, IdempotencyRecord } from '@xs2a/event-store/streams/event-store';
import { Clock } from '@xs2a/runtime/clock';
import { summarisePayment } from '@xs2a/runtime/signing/basket-summary';
import { PROFILE } from '@xs2a/runtime/tokens';
import { DebtorAccounts } from '../authorise/debtor-accounts.js';
import { PaymentPayees } from '../authorise/payment-payees.js';
import { BasketConsents } from './basket-consents.js';
import { BasketReads, getStatus } from './basket-reads.js';
import { BASKET_STORE, type BasketStore } from './basket-store.js';
import { asBasketPayment } from './pages/basket-payment.js';
import { UpdateItems } from './update-items.js';

type Calls = typeof basketAuthorisation;
type Identify = RequestOf<Calls['identify']>;

/** Signs baskets, and with them all their items (contract 10). */
@Injectable()
export class BasketSigning implements Signable<
  BasketRef,
  BasketAuthorisationRef,
  BasketAuthorisation,
  BasketStatus
> {
  constructor(
    private readonly reads: BasketReads,
    @Inject(BASKET_STORE) private readonly store: BasketStore,
    private readonly updates: UpdateItems,
    private readonly debtorAccounts: DebtorAccounts,
    private readonly payees: PaymentPayees,
    private readonly consents: BasketConsents,
    private readonly clock: Clock,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  async mustKnowCorporate(corporateId: string): Promise<void> {
    await this.debtorAccounts.mustKnowCorporate(corporateId);
  }

  async findEarlierAnswer(record: Omit<IdempotencyRecord, 'answer'>) {
    return this.store.idempotencyKeys.find(record);
  }

  async mustBeOwned(ref: BasketRef): Promise<void> {
    await this.reads.ofTpp(ref);
  }

  async start(
    { basketId, tppId }: BasketRef,
    input: NewAuthorisation,
    idempotencyRecord: IdempotencyRecord | undefined,
  ): Promise<Exclude<Appended, 'conflict'>> {
    return this.store.changeOnce(
      basketId,
      (state) => startBasketAuthorisation(state, { ...input, now: this.clock.now() }),
      { actor: tppId, idempotencyRecord },
    );
  }

  async list(ref: BasketRef): Promise<readonly Authorisation[]> {
    return (await this.reads.ofTpp(ref)).state.authorisations;
  }

  async read(ref: BasketAuthorisationRef): Promise<BasketAuthorisation> {
    const { state, status } = await this.reads.authorisation(ref);
    const [payments, consents] = await Promise.all([
      this.reads.readPayments(state),
      this.consents.read(state),
    ]);
    const shown = payments.map(asBasketPayment);
    const entries = shown.reduce((sum, { orders }) => sum + orders.length, 0);
    return {
      ...linkedAuthorisation(state, ref.authorisationId),
      basketId: ref.basketId,
      transactionStatus: status,
      summaries: shown.map(summarisePayment),
      payments: entries > maxEntriesTogether ? undefined : shown,
      awaitsPayees: payments.some((payment) => this.payees.shown(payment).awaitsPayees) || undefined,
      payeeCounts: addCounts(
        payments.map((payment) => countVerified(payment.payeesVerified, listOrders(payment))),
      ),
      consents,
      agreedIbans: state.chosenIbans,
    };
  }

  /** Records that the PSU may sign all items, or rejects the basket if this PSU cannot sign one of them. */
  async identify(request: Identify): Promise<Identified> {
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

  /** Returns the PSU's accounts permitted by all consents in which the PSU chooses the accounts. */
  async listAccounts(request: Identify): Promise<readonly PsuAccount[]> {
    const { state } = await this.reads.authorisation(request);
    return this.consents.openableAccounts(state, request.psuId);
  }

  /** Records the signature. If it comes too late, rejects the basket and throws statusForbidsAuthorisation. */
  async sign(request: RequestOf<Calls['sign']>): Promise<SignatureGiven<BasketStatus>> {
    const { basketId, authorisationId, psuId, evidence } = request;
    const { state } = await this.reads.authorisation(request);
    const chosenIbans = await this.chosenAccounts(state, psuId, request.chosenIbans);
    const hasOpenPayees = await this.hasOpenPayees(state);
    const [now, { offsetMs: clockOffsetMs }] = [this.clock.now(), this.clock];
    const signing = { authorisationId, psuId, now, clockOffsetMs, chosenIbans, hasOpenPayees, evidence };
    const basket = await this.store.change(basketId, (current) => signBasket(current, signing), {
      actor: 'psu',
    });
    await this.updates.orLater(basket);
    const isSigned = findAuthorisation(basket, authorisationId).scaStatus === 'finalised';
    if (!isSigned) throw callFailed('statusForbidsAuthorisation');
    return { status: getStatus(basket), isSigned, signaturesMissing: signaturesMissing(basket) };
  }

  /** Rejects the basket and all its items. */
  async reject(request: RequestOf<Calls['reject']>): Promise<BasketStatus> {
    const { basketId, psuId } = request;
    await this.reads.authorisation(request);
    const basket = await this.store.change(basketId, (state) => rejectBasket(state, request), {
      actor: psuId === undefined ? 'sca' : 'psu',
    });
    await this.updates.orLater(basket);
    return getStatus(basket);
  }

  private async hasOpenPayees(basket: BasketState): Promise<boolean> {
    if (this.profile.payeeVerification === 'off') return false;
    const payments = await this.reads.readPayments(basket);
    return payments.some((payment) => openPayees(payment, this.profile).length > 0);
  }

  /** Returns the reason why this PSU cannot sign one of the items. */
  private async itemFailure(
    basket: BasketState,
    { authorisationId, psuId }: Identify,
  ): Promise<RejectionReason | undefined> {
    for (const payment of await this.reads.readPayments(basket)) {
      const debtor = await this.debtorAccounts.ofPsu(getFirstOrder(payment).debtorIban, psuId);
      const failure = debtorFailure(payment, debtor, this.profile);
      if (failure !== undefined) return failure;
    }
    return this.consents.failure(basket, { authorisationId, psuId });
  }

  /**
   * Returns the accounts to which the signature grants access if the PSU chooses them. Throws fieldMalformed (path
   * `accounts`).
   */
  private async chosenAccounts(
    basket: BasketState,
    psuId: string,
    chosenIbans: readonly string[] = basket.chosenIbans ?? [],
  ): Promise<readonly string[] | undefined> {
    const isToBeChosen = (await this.consents.read(basket)).some(({ psuPicksAccounts }) => psuPicksAccounts);
    if (!isToBeChosen) return undefined;
    const openable = new Set((await this.consents.openableAccounts(basket, psuId)).map(({ iban }) => iban));
    if (chosenIbans.length === 0 || !chosenIbans.every((iban) => openable.has(iban)))
      throw callFailed('fieldMalformed', 'accounts', 'Choose at least one of your accounts.');
    return chosenIbans;
  }
}
