import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { AnswerOf } from '@xs2a/contracts/call';
import type { ConsentRef, readConsentStatus } from '@xs2a/contracts/consents.contract';
import { Consents, ofTpp } from '../store/consents.js';

type Answer = AnswerOf<typeof readConsentStatus>;

/** GET …/status of a consent (contract 5). */
export class ReadConsentStatus extends Query<Answer> {
  constructor(readonly ref: ConsentRef) {
    super();
  }
}

/** Answers the consent's status as of now. */
@QueryHandler(ReadConsentStatus)
export class ReadConsentStatusHandler implements IQueryHandler<ReadConsentStatus> {
  constructor(private readonly consents: Consents) {}

  async execute({ ref }: ReadConsentStatus): Promise<Answer> {
    const { status } = await this.consents.read(ref.consentId, ofTpp(ref.tppId));
    return { consentStatus: status };
  }
}
