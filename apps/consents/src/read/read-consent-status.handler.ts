import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import { readConsentStatus } from '@xs2a/contracts/consents.contract';
import { Consents, ofTpp } from '../store/consents.js';

type Answer = AnswerOf<typeof readConsentStatus>;

/** GET …/status of a consent (contract 5). */
export class ReadConsentStatus extends QueryOf(readConsentStatus) {}

/** Returns the consent's current status. */
@QueryHandler(ReadConsentStatus)
export class ReadConsentStatusHandler implements IQueryHandler<ReadConsentStatus> {
  constructor(private readonly consents: Consents) {}

  async execute({ request: ref }: ReadConsentStatus): Promise<Answer> {
    const { status } = await this.consents.read(ref.consentId, ofTpp(ref.tppId));
    return { consentStatus: status };
  }
}
