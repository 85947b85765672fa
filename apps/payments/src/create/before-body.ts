import { Inject, Injectable } from '@nestjs/common';
import type { InitiatePayment } from '@xs2a/contracts/payments.contract';
import type { EarlierRequest, KeyedRequest } from '@xs2a/event-store/streams/idempotency-records';
import { DebtorAccounts } from '../authorise/debtor-accounts.js';
import { PAYMENT_STORE, type PaymentStore } from '../store/payment-store.js';

/** The stages of a POST that come before its body (contract 3): those of payments and of signing baskets are equal. */
@Injectable()
export class BeforeBody {
  constructor(
    @Inject(PAYMENT_STORE) private readonly store: PaymentStore,
    private readonly debtorAccounts: DebtorAccounts,
  ) {}

  /**
   * Returns the outcome of an earlier request with the same idempotency key, if there is one. Otherwise throws
   * CallFailed if PSU-Corporate-ID is not a corporate of the bank (corporateIdUnknown).
   */
  async check(
    request: KeyedRequest & Pick<InitiatePayment, 'psuCorporateId'>,
  ): Promise<EarlierRequest | undefined> {
    const earlier = await this.store.idempotencyKeys.findEarlier(request);
    const { psuCorporateId } = request;
    if (earlier === undefined && psuCorporateId !== undefined)
      await this.debtorAccounts.mustKnowCorporate(psuCorporateId);
    return earlier;
  }
}
