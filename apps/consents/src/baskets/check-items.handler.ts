import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { checkConsentItems } from '@xs2a/contracts/baskets.contract';
import type { AnswerOf } from '@xs2a/contracts/call';
import { groupedConsentFailure } from '@xs2a/domain/consent/group-consent';
import { Clock } from '@xs2a/runtime/clock';
import { BankAccounts } from '../authorise/bank-accounts.js';
import { BasketItems } from './basket-items.js';

type Answer = AnswerOf<typeof checkConsentItems>;

/** The payments service asks whether a PSU can authorise every consent in a basket. */
export class CheckConsentItems extends QueryOf(checkConsentItems) {}

/**
 * Returns the reason why the PSU cannot authorise one of the consents, or no reason if the PSU can authorise all
 * of them.
 */
@QueryHandler(CheckConsentItems)
export class CheckConsentItemsHandler implements IQueryHandler<CheckConsentItems> {
  constructor(
    private readonly items: BasketItems,
    private readonly bank: BankAccounts,
    private readonly clock: Clock,
  ) {}

  async execute({ request: { consentIds, authorisationId, psuId } }: CheckConsentItems): Promise<Answer> {
    const psuAccounts = await this.bank.ofPsu(psuId);
    const now = this.clock.now();
    const states = await this.items.states(consentIds);
    const reason = [...states.values()]
      .map((state) => groupedConsentFailure(state, { authorisationId, psuId, psuAccounts, now }))
      .find((found) => found !== undefined);
    return reason === undefined ? {} : { reason };
  }
}
