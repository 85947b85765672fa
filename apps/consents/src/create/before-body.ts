import { Inject, Injectable } from '@nestjs/common';
import { replayAnswer } from '@xs2a/calls/replay-answer';
import type { AnswerOf, RequestOf } from '@xs2a/contracts/call';
import type { checkBeforeBody, createConsent } from '@xs2a/contracts/consents.contract';
import { consentHeaderFailure } from '@xs2a/domain/consent/validate-consent';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { BankAccounts, type Signers } from '../authorise/bank-accounts.js';
import { CONSENT_STORE, type ConsentStore } from '../store/consent-store.js';

type ConsentCreated = AnswerOf<typeof createConsent>;

/** The stages of POST /consents that come before its body (contract 3). */
@Injectable()
export class BeforeBody {
  constructor(
    @Inject(CONSENT_STORE) private readonly store: ConsentStore,
    private readonly bank: BankAccounts,
  ) {}

  /**
   * Returns the signers of the corporate that the request names, and the answer to an earlier request with the same
   * idempotency key and body, if there is one. Throws CallFailed if a header is malformed (headerMalformed), if it
   * names a corporate that the bank does not know (corporateIdUnknown), or if the key was used otherwise
   * (idempotencyKeyReused, firstAttemptUnderWay).
   */
  async check(
    request: RequestOf<typeof checkBeforeBody>,
  ): Promise<{ readonly corporate?: Signers; readonly replay?: ConsentCreated }> {
    const failure = consentHeaderFailure(request);
    if (failure !== undefined) throw new CallFailed([failure]);
    const { psuCorporateId } = request;
    const corporate =
      psuCorporateId === undefined ? undefined : await this.bank.signersOfCorporate(psuCorporateId);
    const earlier = await this.store.idempotencyKeys.findEarlier(request);
    return { corporate, replay: earlier && replayAnswer<ConsentCreated>(earlier) };
  }
}
