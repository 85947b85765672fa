import { Inject, Injectable } from '@nestjs/common';
import {
  type BasketAuthorisationRef,
  type BasketItemView,
  type BasketRef,
  type BasketStatusView,
  type BasketView,
  readConsentItemStatuses,
} from '@xs2a/contracts/baskets.contract';
import type { BasketState } from '@xs2a/domain/basket/basket-state';
import { type BasketStatus, findBasketStatus } from '@xs2a/domain/basket/basket-transitions';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import { isFinal } from '@xs2a/domain/payment/payment-transitions';
import { authorisationIn } from '@xs2a/domain/sca/authorisations';
import { callFailed } from '@xs2a/domain/failure/failed';
import { CallClient } from '@xs2a/calls/client';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';
import { BASKET_STORE, type BasketStore } from './basket-store.js';

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** A basket that has been created and therefore has a status. */
export interface VisibleBasket {
  readonly state: BasketState;
  readonly status: BasketStatus;
}

/** Reads baskets, including the current state of their items. */
@Injectable()
export class BasketReads {
  constructor(
    @Inject(BASKET_STORE) private readonly store: BasketStore,
    @Inject(PAYMENT_STORE) private readonly payments: PaymentStore,
    private readonly callClient: CallClient,
  ) {}

  /** Throws resourceUnknown if the basket does not exist, belongs to another TPP, or was opened but never created. */
  async ofTpp({ tppId, basketId }: BasketRef): Promise<VisibleBasket> {
    const found = await this.visible(basketId);
    if (found === undefined || found.state.tppId !== tppId) throw callFailed('resourceUnknown');
    return found;
  }

  /** Returns the basket of an authorisation; throws resourceUnknown if the two ids do not belong together. */
  async authorisation({ basketId, authorisationId }: BasketAuthorisationRef): Promise<VisibleBasket> {
    const found = await this.visible(basketId);
    if (found === undefined || authorisationIn(found.state, authorisationId) === undefined)
      throw callFailed('resourceUnknown');
    return found;
  }

  async status(ref: BasketRef): Promise<BasketStatusView> {
    const basket = await this.ofTpp(ref);
    return statusView(basket, await this.readPayments(basket.state));
  }

  /** Returns the basket with the status of each item, so that a partial failure is visible. */
  async view(ref: BasketRef): Promise<BasketView> {
    const basket = await this.ofTpp(ref);
    const { paymentIds, consentIds } = basket.state;
    const [payments, { statuses }] = await Promise.all([
      this.readPayments(basket.state),
      consentIds.length === 0
        ? { statuses: [] }
        : this.callClient.call(readConsentItemStatuses, { consentIds }),
    ]);
    const items: BasketItemView[] = [
      ...payments.map(({ paymentId, status, fundsAvailable }) => ({
        paymentId,
        transactionStatus: status,
        fundsAvailable,
      })),
      ...consentIds.flatMap((id) => statuses.find(({ consentId }) => consentId === id) ?? []),
    ];
    return { ...statusView(basket, payments), paymentIds, consentIds, items };
  }

  /** Returns the basket's payments, in the order of the body. */
  async readPayments({ paymentIds }: Pick<BasketState, 'paymentIds'>): Promise<readonly PaymentState[]> {
    const loaded = await this.payments.many.load(paymentIds);
    return paymentIds.flatMap((id) => loaded.get(id)?.state ?? []);
  }

  private async visible(basketId: string): Promise<VisibleBasket | undefined> {
    const state = uuid.test(basketId) ? (await this.store.load(basketId))?.state : undefined;
    const status = state && findBasketStatus(state.stage);
    return state === undefined || status === undefined ? undefined : { state, status };
  }
}

/**
 * Returns the status view. A basket counts as complete as soon as all its items have their final status, even
 * before the sweep has recorded that.
 */
const statusView = (
  { state, status }: VisibleBasket,
  payments: readonly PaymentState[],
): BasketStatusView => {
  const { stage, updatesItemsSince, rejectionReason } = state;
  const isComplete = stage === 'signed' && updatesItemsSince === undefined && payments.every(isFinal);
  return {
    transactionStatus: isComplete ? 'ACSC' : status,
    rejectionReason,
  };
};

/** Returns the status of a basket. Throws CallFailed (resourceUnknown) if it was never created. */
export const getStatus = ({ stage }: BasketState): BasketStatus => {
  const status = findBasketStatus(stage);
  if (status === undefined) throw callFailed('resourceUnknown');
  return status;
};
