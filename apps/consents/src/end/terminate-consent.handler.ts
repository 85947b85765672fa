import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import * as contract from '@xs2a/contracts/consents.contract';
import { terminateConsent } from '@xs2a/domain/consent/decide-consent';
import { Consents, ofTpp } from '../store/consents.js';

/** DELETE of a consent by the TPP that created it (contract 5). */
export class TerminateConsent extends CommandOf(contract.terminateConsent) {}

/**
 * Rejects a consent that nobody has authorised, and terminates a valid one. Does not change a consent that has
 * ended.
 */
@CommandHandler(TerminateConsent)
export class TerminateConsentHandler implements ICommandHandler<TerminateConsent> {
  constructor(private readonly consents: Consents) {}

  async execute({ request: { tppId, consentId } }: TerminateConsent): Promise<Record<string, never>> {
    await this.consents.change(consentId, tppId, ofTpp(tppId), (state) => terminateConsent(state, { tppId }));
    return {};
  }
}
