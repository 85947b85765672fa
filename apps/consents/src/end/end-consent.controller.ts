import { Controller } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import { type ConsentRef, revokeConsent, terminateConsent } from '@xs2a/contracts/consents.contract';
import {
  isHeldBy,
  revokeConsent as decideToRevoke,
  terminateConsent as decideToTerminate,
} from '@xs2a/domain/consent/decide-consent';
import { BankAccounts } from '../authorise/bank-accounts.js';
import { Consents, ofTpp } from '../store/consents.js';

/** Answers DELETE of a consent (contract 5), and the page on which a PSU withdraws one (contract 12, `/sca/apps`). */
@Controller()
export class EndConsentController {
  constructor(
    private readonly consents: Consents,
    private readonly bank: BankAccounts,
  ) {}

  @Handles(terminateConsent)
  async terminate({ tppId, consentId }: ConsentRef): Promise<Record<string, never>> {
    await this.consents.change(consentId, tppId, ofTpp(tppId), (state) =>
      decideToTerminate(state, { tppId }),
    );
    return {};
  }

  @Handles(revokeConsent)
  async revoke({ psuId, consentId }: { psuId: string; consentId: string }): Promise<Record<string, never>> {
    const who = { psuId, corporateIds: await this.bank.corporatesOf(psuId) };
    await this.consents.change(
      consentId,
      psuId,
      (state) => isHeldBy(state, who),
      (state) => decideToRevoke(state, who),
    );
    return {};
  }
}
