import { Inject, Injectable } from '@nestjs/common';
import {
  authoriseConsentItems,
  groupConsents,
  readConsentItems,
  rejectConsentItems,
  ungroupConsents,
} from '@xs2a/contracts/baskets.contract';
import { type ItemFacts, listOwners, paymentAsItem } from '@xs2a/domain/basket/basket-items';
import { streamKeyOf } from '@xs2a/event-store/encryption/stream-keys';
import type { StateRow } from '@xs2a/event-store/streams/view-state';
import type { BasketState } from '@xs2a/domain/basket/basket-state';
import type { BasketItems as ItemIds } from '@xs2a/domain/basket/validate-basket';
import type { Decision } from '@xs2a/domain/decision';
import type { Failure } from '@xs2a/domain/failure/failures';
import {
  groupPayment,
  rejectGroupedPayment,
  signGroupedPayment,
  ungroupPayment,
} from '@xs2a/domain/payment/group-payment';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import { getFirstOrder, type PaymentState } from '@xs2a/domain/payment/payment-state';
import type { Profile } from '@xs2a/domain/profile/profile';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { CallClient } from '@xs2a/calls/client';
import { POOL, PROFILE } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { DebtorAccounts } from '../authorise/debtor-accounts.js';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';
import { BasketEvidence } from './basket-evidence.js';

const actor = 'baskets';
/**
 * The items that a basket has claimed. `refused`: the reason why another item could not be claimed, and the item's
 * path in the body.
 */
interface Taken {
  readonly taken: ItemIds;
  readonly refused?: Failure;
}
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/**
 * Changes the items of a basket in their own streams: payments directly, consents through calls to the consents
 * service. Every step can be repeated; an item that already has the change is not modified.
 */
@Injectable()
export class BasketItems {
  constructor(
    @Inject(PAYMENT_STORE) private readonly payments: PaymentStore,
    private readonly debtorAccounts: DebtorAccounts,
    private readonly callClient: CallClient,
    private readonly evidence: BasketEvidence,
    @Inject(POOL) private readonly pool: Pool,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  /** Returns those items that belong to the TPP, by id. */
  async facts(tppId: string, { paymentIds, consentIds }: ItemIds): Promise<ReadonlyMap<string, ItemFacts>> {
    const [payments, consents] = await Promise.all([
      this.paymentFacts(tppId, paymentIds.filter(isUuid)),
      this.consentFacts(tppId, consentIds.filter(isUuid)),
    ]);
    return new Map([...payments, ...consents]);
  }

  /**
   * Claims the items for the basket: first the payments, then the consents, each in order of id, so that if two
   * baskets have several items in common, one of them gets all of those. Stops at the first item that cannot be
   * claimed. Returns the claimed items, and the reason why one could not be claimed.
   */
  async take({ tppId, basketId, paymentIds, consentIds }: BasketState): Promise<Taken> {
    const payments = [...paymentIds].sort();
    for (const [index, id] of payments.entries()) {
      const refused = await this.refuse(id, (state) => groupPayment(state, { basketId, tppId }));
      if (refused !== undefined)
        return {
          taken: { paymentIds: payments.slice(0, index), consentIds: [] },
          refused: at(`paymentIds[${paymentIds.indexOf(id)}]`, refused),
        };
    }
    if (consentIds.length === 0) return { taken: { paymentIds, consentIds } };
    const { refused } = await this.callClient.call(groupConsents, { tppId, basketId, consentIds });
    if (refused === undefined) return { taken: { paymentIds, consentIds } };
    const { consentId } = refused;
    return {
      taken: { paymentIds, consentIds: consentIds.filter((id) => id < consentId) },
      refused: at(`consentIds[${consentIds.indexOf(consentId)}]`, refused),
    };
  }

  /** Applies the basket's outcome to every item: the signatures, the rejection, or the release. Throws CallFailed. */
  async update(basket: BasketState): Promise<void> {
    switch (basket.stage) {
      case 'signed':
        return this.sign(basket);
      case 'rejected':
        return this.reject(basket);
      case 'cancelled':
      case 'abandoned':
        return this.release(basket);
      default:
        return undefined;
    }
  }

  /** Releases the items that the basket has claimed. After that, the basket can never claim the other items either. */
  private async release({ tppId, basketId, paymentIds, consentIds }: BasketState): Promise<void> {
    await this.changePayments(paymentIds, (state) => ungroupPayment(state, { basketId }));
    if (consentIds.length > 0) await this.callClient.call(ungroupConsents, { tppId, basketId, consentIds });
  }

  private async sign(basket: BasketState): Promise<void> {
    const { tppId, basketId, paymentIds, consentIds, chosenIbans, clockOffsetMs } = basket;
    const evidence = await this.evidence.of(basketId);
    const signatures = basket.authorisations.flatMap(({ authorisationId, psuId, signedAt, scaStatus }) =>
      scaStatus === 'finalised' && psuId !== undefined && signedAt !== undefined
        ? [{ authorisationId, psuId, signedAt, evidence: evidence.get(authorisationId) }]
        : [],
    );
    await this.changePayments(paymentIds, (state) =>
      signGroupedPayment(state, { basketId, signatures, clockOffsetMs }, this.profile),
    );
    const signedAt = signatures
      .map((one) => one.signedAt)
      .sort()
      .at(-1);
    if (consentIds.length === 0 || signedAt === undefined) return;
    await this.callClient.call(authoriseConsentItems, {
      tppId,
      basketId,
      consentIds,
      signatures: signatures.map(({ signedAt: _signedAt, ...signature }) => signature),
      chosenIbans,
      signedAt,
    });
  }

  private async reject(basket: BasketState): Promise<void> {
    const { tppId, basketId, paymentIds, consentIds, rejectionReason: reason = 'psu-refused' } = basket;
    await this.changePayments(paymentIds, (state) => rejectGroupedPayment(state, { basketId, reason }));
    if (consentIds.length > 0)
      await this.callClient.call(rejectConsentItems, { tppId, basketId, consentIds, reason });
  }

  private async paymentFacts(
    tppId: string,
    paymentIds: readonly string[],
  ): Promise<readonly (readonly [string, ItemFacts])[]> {
    const { rows } = await this.pool.query<StateRow>({
      name: 'basket-payments',
      text: `SELECT stream_id, version, state, ${streamKeyOf('payment_view')} AS stream_key FROM payment_view
        WHERE stream_id = ANY($1::uuid[]) AND tpp_id = $2 AND NOT hidden`,
      values: [paymentIds, tppId],
    });
    const states = await this.payments.many.readStates(rows);
    return Promise.all(
      states.map(async (state) => {
        const id = state.paymentId;
        const account = await this.debtorAccounts.facts(getFirstOrder(state).debtorIban);
        return [id, paymentAsItem(state, listOwners(account))] as const;
      }),
    );
  }

  private async consentFacts(
    tppId: string,
    consentIds: readonly string[],
  ): Promise<readonly (readonly [string, ItemFacts])[]> {
    if (consentIds.length === 0) return [];
    const { consents } = await this.callClient.call(readConsentItems, { tppId, consentIds });
    return consents.map((consent) => [
      consent.consentId,
      { ...consent, isGroupable: true, isReceived: consent.consentStatus === 'received' },
    ]);
  }

  private async refuse(
    paymentId: string,
    decide: (state: PaymentState) => Decision<PaymentEvent>,
  ): Promise<Failure | undefined> {
    const result = (await this.payments.many.change([paymentId], decide, { actor })).get(paymentId);
    if (result === undefined || !('refused' in result)) return undefined;
    if (result.refused.failure === 'dependencyDown') throw new CallFailed([result.refused]);
    return result.refused.failure === 'resourceUnknown' ? { failure: 'itemUnknown' } : result.refused;
  }

  /**
   * A payment may be missing if, after a failover, the database lost it between the check of the basket and its
   * opening. There is then nothing to update.
   */
  private async changePayments(
    paymentIds: readonly string[],
    decide: (state: PaymentState) => Decision<PaymentEvent>,
  ): Promise<void> {
    const changed = await this.payments.many.change(paymentIds, decide, { actor });
    for (const result of changed.values())
      if ('refused' in result && result.refused.failure !== 'resourceUnknown')
        throw new CallFailed([result.refused]);
  }
}

const isUuid = (id: string): boolean => uuid.test(id);
const at = (path: string, { failure }: Failure): Failure => ({ failure, path });
