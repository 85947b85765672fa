import { Controller } from '@nestjs/common';
import {
  authoriseConsent,
  type ConsentAuthorisation,
  type ConsentRef,
  readConsentAuthorisation,
  readConsentForAuthorization,
  rejectConsent,
} from '@xs2a/contracts/consents.contract';
import type { ConsentStatus } from '@xs2a/domain/consent/consent-state';
import { rejectConsent as decideToReject } from '@xs2a/domain/consent/decide-consent';
import type { RejectionReason } from '@xs2a/domain/payment/payment-events';
import { Handles } from '@xs2a/messaging/handles';
import { type Approval, type Authorised, ConsentApproval } from './authorise-consent.js';
import { authorisationOf } from './consent-answers.js';
import { Consents, ofAuthorisation, ofTpp } from './consents.js';

/** What the SCA pages and the authorization server do with consents. */
@Controller()
export class AuthorisationsController {
  constructor(
    private readonly consents: Consents,
    private readonly approval: ConsentApproval,
  ) {}

  @Handles(readConsentAuthorisation)
  async read({
    consentId,
    authorisationId,
  }: {
    consentId: string;
    authorisationId: string;
  }): Promise<ConsentAuthorisation> {
    return authorisationOf(await this.consents.read(consentId, ofAuthorisation(authorisationId)));
  }

  @Handles(readConsentForAuthorization)
  async readForTpp({ tppId, consentId }: ConsentRef): Promise<ConsentAuthorisation> {
    return authorisationOf(await this.consents.read(consentId, ofTpp(tppId)));
  }

  @Handles(authoriseConsent)
  async authorise(approval: Approval): Promise<Authorised> {
    return this.approval.authorise(approval);
  }

  @Handles(rejectConsent)
  async reject({
    consentId,
    authorisationId,
    psuId,
    reason,
  }: {
    consentId: string;
    authorisationId: string;
    psuId?: string;
    reason: RejectionReason;
  }): Promise<{ consentStatus: ConsentStatus }> {
    const { status } = await this.consents.change(
      consentId,
      psuId ?? 'auth',
      ofAuthorisation(authorisationId),
      (state) =>
        decideToReject(state, { authorisationId, reason, ...(psuId === undefined ? {} : { psuId }) }),
    );
    return { consentStatus: status };
  }
}
