import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import { listConsents } from '@xs2a/contracts/consents.contract';
import { Consents } from '../store/consents.js';
import { toView } from './consent-answers.js';

type Answer = AnswerOf<typeof listConsents>;

/** GET of a TPP's consents, page by page (contract 5). */
export class ListConsents extends QueryOf(listConsents) {}

/** Lists the TPP's consents, newest first. */
@QueryHandler(ListConsents)
export class ListConsentsHandler implements IQueryHandler<ListConsents> {
  constructor(private readonly consents: Consents) {}

  async execute({ request: { tppId, before, limit } }: ListConsents): Promise<Answer> {
    // Reads one row more than the page size, to find out whether there is a next page.
    const found = await this.consents.ofTpp(tppId, limit + 1, before);
    const page = found.slice(0, limit);
    const next = found.length > limit ? page.at(-1)?.consentId : undefined;
    return {
      consents: page.map((consent) => ({ consentId: consent.consentId, ...toView(consent) })),
      next,
    };
  }
}
