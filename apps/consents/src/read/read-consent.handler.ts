import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { type ConsentView, readConsent } from '@xs2a/contracts/consents.contract';
import { Consents, ofTpp } from '../store/consents.js';
import { toView } from './consent-answers.js';

/** GET of a consent by the TPP that created it (contract 5). */
export class ReadConsent extends QueryOf(readConsent) {}

/** Returns the consent, including its status. */
@QueryHandler(ReadConsent)
export class ReadConsentHandler implements IQueryHandler<ReadConsent> {
  constructor(private readonly consents: Consents) {}

  async execute({ request: ref }: ReadConsent): Promise<ConsentView> {
    return toView(await this.consents.read(ref.consentId, ofTpp(ref.tppId)));
  }
}
