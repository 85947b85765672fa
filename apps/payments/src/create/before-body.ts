import { Inject, Injectable } from '@nestjs/common';
import { replayAnswer } from '@xs2a/calls/replay-answer';
import type { InitiatePayment } from '@xs2a/contracts/payments.contract';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { closedProductFailure } from '@xs2a/domain/payment/product-offers';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { EarlierRequest, KeyedRequest } from '@xs2a/event-store/streams/idempotency-records';
import { PROFILE } from '@xs2a/runtime/tokens';
import { DebtorAccounts } from '../authorise/debtor-accounts.js';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';

type NewRequest = KeyedRequest &
  Pick<InitiatePayment, 'psuCorporateId' | 'idempotencyKey'> &
  Partial<Pick<InitiatePayment, 'product'>>;

/** The stages of a POST that come before its body (contract 3): those of payments and of signing baskets are equal. */
@Injectable()
export class BeforeBody {
  constructor(
    @Inject(PAYMENT_STORE) private readonly store: PaymentStore,
    private readonly debtorAccounts: DebtorAccounts,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  /**
   * Returns the answer to an earlier request with the same idempotency key and body; undefined if the request is
   * new. Throws CallFailed if the key was used otherwise (idempotencyKeyReused, firstAttemptUnderWay), or if the
   * request is new and PSU-Corporate-ID is not a corporate of the bank (corporateIdUnknown) or the product has ended
   * (productUnknown, contract E1.5).
   */
  async check<Answer>(
    request: KeyedRequest &
      Pick<InitiatePayment, 'psuCorporateId'> &
      Partial<Pick<InitiatePayment, 'product'>>,
  ): Promise<Answer | undefined> {
    const earlier = await this.findEarlier(request);
    if (earlier !== undefined) return replayAnswer<Answer>(earlier);
    const { psuCorporateId, product } = request;
    if (psuCorporateId !== undefined) await this.debtorAccounts.mustKnowCorporate(psuCorporateId);
    const closed = product === undefined ? undefined : closedProductFailure(product, this.profile);
    if (closed !== undefined) throw new CallFailed([closed]);
    return undefined;
  }
  private async findEarlier(request: NewRequest): Promise<EarlierRequest | undefined> {
    const { idempotencyKeys } = this.store;
    const { formerPath, ...key } = request.idempotencyKey;
    const earlier = await idempotencyKeys.findEarlier(request);
    if (earlier !== undefined || formerPath === undefined) return earlier;
    return idempotencyKeys.findEarlier({ ...request, idempotencyKey: { ...key, path: formerPath } });
  }
}
