import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import * as contract from '@xs2a/contracts/consents.contract';
import type { ConsentEvent } from '@xs2a/domain/consent/consent-events';
import { authoriseConsent } from '@xs2a/domain/consent/decide-consent';
import type { Decision } from '@xs2a/domain/decision';
import { signaturesMissing } from '@xs2a/domain/sca/authorisations';
import { Clock } from '@xs2a/runtime/clock';
import { ReplaceOlder } from '../end/replace-older.js';
import { Consents } from '../store/consents.js';
import { BankAccounts } from './bank-accounts.js';

type Authorised = AnswerOf<typeof contract.authoriseConsent>;

/** A PSU has completed SCA for the consent (contract 5). */
export class AuthoriseConsent extends CommandOf(contract.authoriseConsent) {}

/**
 * Records the authorisation, or rejects the consent if it names an account that does not belong to the PSU. Then
 * ends the older consents that this one replaces.
 */
@CommandHandler(AuthoriseConsent)
export class AuthoriseConsentHandler implements ICommandHandler<AuthoriseConsent> {
  constructor(
    private readonly consents: Consents,
    private readonly replaceOlder: ReplaceOlder,
    private readonly bank: BankAccounts,
    private readonly clock: Clock,
  ) {}

  async execute({ request }: AuthoriseConsent): Promise<Authorised> {
    const { consentId, authorisationId, psuId, chosenIbans } = request;
    const psuAccounts = await this.bank.ofPsu(psuId);
    let reason: Authorised['rejectionReason'];
    const consent = await this.consents.change(consentId, 'psu', anyConsent, (state) => {
      const decision = authoriseConsent(state, {
        authorisationId,
        psuId,
        psuAccounts,
        chosenIbans,
        now: this.clock.now(),
      });
      reason = rejectionIn(decision);
      return decision;
    });
    const consentStatus = await this.replaceOlder.statusAfterReplacing(consent);
    return {
      consentStatus,
      signaturesMissing: signaturesMissing(consent),
      rejectionReason: reason,
    };
  }
}

const anyConsent = (): boolean => true;

const rejectionIn = (decision: Decision<ConsentEvent>): Authorised['rejectionReason'] => {
  if ('refused' in decision) return undefined;
  const rejected = decision.events.find((event) => event.type === 'rejected');
  return rejected?.type === 'rejected' ? rejected.data.reason : undefined;
};
