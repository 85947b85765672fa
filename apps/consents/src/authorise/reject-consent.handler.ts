import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import * as contract from '@xs2a/contracts/consents.contract';
import { rejectConsent } from '@xs2a/domain/consent/decide-consent';
import { Consents, ofAuthorisation } from '../store/consents.js';

type Rejected = AnswerOf<typeof contract.rejectConsent>;

/** A PSU refused the consent on the SCA pages, or SCA failed too often (contract 5). */
export class RejectConsent extends CommandOf(contract.rejectConsent) {}

/** Rejects the consent on behalf of all its signers. */
@CommandHandler(RejectConsent)
export class RejectConsentHandler implements ICommandHandler<RejectConsent> {
  constructor(private readonly consents: Consents) {}

  async execute({ request }: RejectConsent): Promise<Rejected> {
    const { consentId, authorisationId, psuId, reason } = request;
    const { status } = await this.consents.change(
      consentId,
      psuId === undefined ? 'auth' : 'psu',
      ofAuthorisation(authorisationId),
      (state) => rejectConsent(state, { authorisationId, reason, psuId }),
    );
    return { consentStatus: status };
  }
}
