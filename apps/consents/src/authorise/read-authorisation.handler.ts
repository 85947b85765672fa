import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { type ConsentAuthorisation, readConsentAuthorisation } from '@xs2a/contracts/consents.contract';
import { toAuthorisation } from '../read/consent-answers.js';
import { Consents, ofAuthorisation } from '../store/consents.js';

/** The SCA pages request a consent by one of its authorisations. */
export class ReadConsentAuthorisation extends QueryOf(readConsentAuthorisation) {}

/** Returns the parts of the consent that the SCA pages show and check. */
@QueryHandler(ReadConsentAuthorisation)
export class ReadConsentAuthorisationHandler implements IQueryHandler<ReadConsentAuthorisation> {
  constructor(private readonly consents: Consents) {}

  async execute({ request: ref }: ReadConsentAuthorisation): Promise<ConsentAuthorisation> {
    return toAuthorisation(await this.consents.read(ref.consentId, ofAuthorisation(ref.authorisationId)));
  }
}
