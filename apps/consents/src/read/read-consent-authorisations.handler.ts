import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import { readConsentAuthorisations } from '@xs2a/contracts/consents.contract';
import { Consents, ofTpp } from '../store/consents.js';

type Answer = AnswerOf<typeof readConsentAuthorisations>;

/** GET …/authorisations of a consent: the list, and a single authorisation (contract 5 and 10). */
export class ReadConsentAuthorisations extends QueryOf(readConsentAuthorisations) {}

/** Lists the consent's authorisations in the order in which they were started. */
@QueryHandler(ReadConsentAuthorisations)
export class ReadConsentAuthorisationsHandler implements IQueryHandler<ReadConsentAuthorisations> {
  constructor(private readonly consents: Consents) {}

  async execute({ request: ref }: ReadConsentAuthorisations): Promise<Answer> {
    const { authorisations } = await this.consents.read(ref.consentId, ofTpp(ref.tppId));
    return {
      authorisations: authorisations.map(({ authorisationId, scaStatus }) => ({
        authorisationId,
        scaStatus,
      })),
    };
  }
}
