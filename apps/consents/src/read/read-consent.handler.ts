import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { ConsentRef, ConsentView } from '@xs2a/contracts/consents.contract';
import { Consents, ofTpp } from '../store/consents.js';
import { toView } from './consent-answers.js';

/** GET of a consent by the TPP that created it (contract 5). */
export class ReadConsent extends Query<ConsentView> {
  constructor(readonly ref: ConsentRef) {
    super();
  }
}

/** Answers the consent with its status. */
@QueryHandler(ReadConsent)
export class ReadConsentHandler implements IQueryHandler<ReadConsent> {
  constructor(private readonly consents: Consents) {}

  async execute({ ref }: ReadConsent): Promise<ConsentView> {
    return toView(await this.consents.read(ref.consentId, ofTpp(ref.tppId)));
  }
}
