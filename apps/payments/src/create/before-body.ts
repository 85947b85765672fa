import { Inject, Injectable } from '@nestjs/common';
import { replayAnswer } from '@xs2a/calls/replay-answer';
import type { InitiatePayment } from '@xs2a/contracts/payments.contract';
import type { KeyedRequest } from '@xs2a/event-store/streams/idempotency-records';
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
   * Returns the answer to an earlier request with the same idempotency key and body; undefined if the request is
   * new. Throws CallFailed if the key was used otherwise (idempotencyKeyReused, firstAttemptUnderWay), or if the
   * request is new and PSU-Corporate-ID is not a corporate of the bank (corporateIdUnknown).
   */
  async check<Answer>(
    request: KeyedRequest & Pick<InitiatePayment, 'psuCorporateId'>,
  ): Promise<Answer | undefined> {
    const earlier = await this.store.idempotencyKeys.findEarlier(request);
    if (earlier !== undefined) return replayAnswer<Answer>(earlier);
    const { psuCorporateId } = request;
    if (psuCorporateId !== undefined) await this.debtorAccounts.mustKnowCorporate(psuCorporateId);
    return undefined;
  }
}
