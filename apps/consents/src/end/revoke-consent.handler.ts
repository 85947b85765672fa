import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import * as contract from '@xs2a/contracts/consents.contract';
import { isHeldBy, revokeConsent } from '@xs2a/domain/consent/decide-consent';
import { BankAccounts } from '../authorise/bank-accounts.js';
import { Consents } from '../store/consents.js';

/** A PSU withdraws a consent on the page `/sca/apps`, which lists the PSU's consents (contract 12). */
export class RevokeConsent extends CommandOf(contract.revokeConsent) {}

/** Revokes a consent of the PSU, or of a corporate for which the PSU signs. */
@CommandHandler(RevokeConsent)
export class RevokeConsentHandler implements ICommandHandler<RevokeConsent> {
  constructor(
    private readonly consents: Consents,
    private readonly bank: BankAccounts,
  ) {}

  async execute({ request: { psuId, consentId } }: RevokeConsent): Promise<Record<string, never>> {
    const psu = { psuId, corporateIds: await this.bank.listCorporates(psuId) };
    await this.consents.change(
      consentId,
      'psu',
      (state) => isHeldBy(state, psu),
      (state) => revokeConsent(state, psu),
    );
    return {};
  }
}
