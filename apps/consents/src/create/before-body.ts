import { Inject, Injectable } from '@nestjs/common';
import type { CreateConsent } from '@xs2a/contracts/consents.contract';
import { consentHeaderFailure } from '@xs2a/domain/consent/validate-consent';
import { CallFailed } from '@xs2a/domain/failure/failed';
import type { EarlierRequest } from '@xs2a/event-store/streams/idempotency-records';
import { BankAccounts, type Signers } from '../authorise/bank-accounts.js';
import { CONSENT_STORE, type ConsentStore } from '../store/consent-store.js';

/** The stages of POST /consents that come before its body (contract 3). */
@Injectable()
export class BeforeBody {
  constructor(
    @Inject(CONSENT_STORE) private readonly store: ConsentStore,
    private readonly bank: BankAccounts,
  ) {}

  /**
   * Throws CallFailed if a header is malformed (headerMalformed) or names a corporate that the bank does not know
   * (corporateIdUnknown). Otherwise returns the signers of the named corporate, and the outcome of an earlier
   * request with the same idempotency key.
   */
  async check(
    request: Omit<CreateConsent, 'body'>,
  ): Promise<{ readonly corporate?: Signers; readonly earlier?: EarlierRequest }> {
    const failure = consentHeaderFailure(request);
    if (failure !== undefined) throw new CallFailed([failure]);
    const { psuCorporateId } = request;
    const corporate =
      psuCorporateId === undefined ? undefined : await this.bank.signersOfCorporate(psuCorporateId);
    return { corporate, earlier: await this.store.idempotencyKeys.findEarlier(request) };
  }
}
