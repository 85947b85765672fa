import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { readConsentItemStatuses } from '@xs2a/contracts/baskets.contract';
import type { AnswerOf } from '@xs2a/contracts/call';
import { BasketItems } from './basket-items.js';

type Answer = AnswerOf<typeof readConsentItemStatuses>;

/** The payments service requests the statuses of the consents in a basket. */
export class ReadConsentItemStatuses extends QueryOf(readConsentItemStatuses) {}

/** Returns the current status of each consent. */
@QueryHandler(ReadConsentItemStatuses)
export class ReadConsentItemStatusesHandler implements IQueryHandler<ReadConsentItemStatuses> {
  constructor(private readonly items: BasketItems) {}

  async execute({ request: { consentIds } }: ReadConsentItemStatuses): Promise<Answer> {
    const states = await this.items.states(consentIds);
    return {
      statuses: [...states].map(([consentId, { status }]) => ({ consentId, consentStatus: status })),
    };
  }
}
