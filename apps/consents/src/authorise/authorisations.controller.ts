import { Controller } from '@nestjs/common';
import type { PsuAccount } from '@xs2a/contracts/accounts.contract';
import {
  authoriseConsent,
  beginConsentAuthorisation,
  type ConsentAuthorisation,
  type ConsentRef,
  listOpenableAccounts,
  readConsentAuthorisation,
  readConsentForAuthorization,
  rejectConsent,
} from '@xs2a/contracts/consents.contract';
import type { ConsentStatus } from '@xs2a/domain/consent/consent-state';
import type { AuthorisationStarted } from '@xs2a/contracts/payments.contract';
import { openableAccounts, rejectConsent as decideToReject } from '@xs2a/domain/consent/decide-consent';
import type { RejectionReason } from '@xs2a/domain/payment/payment-events';
import { Handles } from '@xs2a/calls/handles';
import { type Approval, type Authorised, ConsentApproval } from './authorise-consent.js';
import { BankAccounts } from './bank-accounts.js';
import { authorisationOf } from '../read/consent-answers.js';
import { FurtherAuthorisation } from './further-authorisation.js';
import { Consents, ofAuthorisation, ofTpp } from '../store/consents.js';

/** Answers the SCA pages and the authorization server about consents. */
@Controller()
export class AuthorisationsController {
  constructor(
    private readonly consents: Consents,
    private readonly approval: ConsentApproval,
    private readonly furtherAuthorisation: FurtherAuthorisation,
    private readonly bank: BankAccounts,
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

  @Handles(beginConsentAuthorisation)
  async begin(request: ConsentRef & { readonly psuId: string }): Promise<AuthorisationStarted> {
    return this.furtherAuthorisation.begin(request);
  }

  @Handles(listOpenableAccounts)
  async openable({
    consentId,
    psuId,
  }: {
    consentId: string;
    psuId: string;
  }): Promise<{ accounts: readonly PsuAccount[] }> {
    const state = await this.consents.read(consentId, () => true);
    return { accounts: openableAccounts(state, await this.bank.ofPsu(psuId)) };
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
