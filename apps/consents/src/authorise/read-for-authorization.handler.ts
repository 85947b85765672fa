import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { type ConsentAuthorisation, readConsentForAuthorization } from '@xs2a/contracts/consents.contract';
import { toAuthorisation } from '../read/consent-answers.js';
import { Consents, ofTpp } from '../store/consents.js';

/** The authorization server asks for the consent that a TPP named at /oauth2/authorize (contract 5). */
export class ReadConsentForAuthorization extends QueryOf(readConsentForAuthorization) {}

/** Returns the same data as for the SCA pages, provided that the consent belongs to the TPP. */
@QueryHandler(ReadConsentForAuthorization)
export class ReadConsentForAuthorizationHandler implements IQueryHandler<ReadConsentForAuthorization> {
  constructor(private readonly consents: Consents) {}

  async execute({ request: ref }: ReadConsentForAuthorization): Promise<ConsentAuthorisation> {
    return toAuthorisation(await this.consents.read(ref.consentId, ofTpp(ref.tppId)));
  }
}
