import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOf } from '@xs2a/calls/handlers';
import { beginConsentAuthorisation } from '@xs2a/contracts/consents.contract';
import type { AuthorisationStarted } from '@xs2a/contracts/authorisations.contract';
import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import { startConsentAuthorisation } from '@xs2a/domain/consent/decide-consent';
import { type Authorisation, isOpenAuthorisation } from '@xs2a/domain/sca/authorisations';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { Consents, ofTpp } from '../store/consents.js';

/**
 * A PSU came to authorise a consent through the authorization server (contract 5), not through the link of one of
 * the consent's authorisations.
 */
export class BeginConsentAuthorisation extends CommandOf(beginConsentAuthorisation) {}

/** Returns the PSU's open authorisation, or starts one. */
@CommandHandler(BeginConsentAuthorisation)
export class BeginConsentAuthorisationHandler implements ICommandHandler<BeginConsentAuthorisation> {
  constructor(
    private readonly consents: Consents,
    private readonly clock: Clock,
  ) {}

  async execute({ request }: BeginConsentAuthorisation): Promise<AuthorisationStarted> {
    const { tppId, consentId, psuId } = request;
    const authorisationId = newId();
    const now = this.clock.now();
    const consent = await this.consents.change(consentId, 'psu', ofTpp(tppId), (state) =>
      openAuthorisation(state, psuId) === undefined
        ? startConsentAuthorisation(state, { authorisationId, psuId, now })
        : { events: [] },
    );
    return { authorisationId: openAuthorisation(consent, psuId)?.authorisationId ?? authorisationId };
  }
}

const openAuthorisation = ({ authorisations }: ConsentState, psuId: string): Authorisation | undefined =>
  authorisations.find((one) => one.namedPsuId === psuId && isOpenAuthorisation(one));
