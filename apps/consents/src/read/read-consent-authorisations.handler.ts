import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { AnswerOf } from '@xs2a/contracts/call';
import type { ConsentRef, readConsentAuthorisations } from '@xs2a/contracts/consents.contract';
import { Consents, ofTpp } from '../store/consents.js';

type Answer = AnswerOf<typeof readConsentAuthorisations>;

/** GET …/authorisations of a consent, and of one of them (contract 5 and 10). */
export class ReadConsentAuthorisations extends Query<Answer> {
  constructor(readonly ref: ConsentRef) {
    super();
  }
}

/** Lists the consent's authorisations in the order in which they were started. */
@QueryHandler(ReadConsentAuthorisations)
export class ReadConsentAuthorisationsHandler implements IQueryHandler<ReadConsentAuthorisations> {
  constructor(private readonly consents: Consents) {}

  async execute({ ref }: ReadConsentAuthorisations): Promise<Answer> {
    const { authorisations } = await this.consents.read(ref.consentId, ofTpp(ref.tppId));
    return {
      authorisations: authorisations.map(({ authorisationId, scaStatus }) => ({
        authorisationId,
        scaStatus,
      })),
    };
  }
}
