import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import { listConsentItemAccounts } from '@xs2a/contracts/baskets.contract';
import type { AnswerOf } from '@xs2a/contracts/call';
import { openableAccounts } from '@xs2a/domain/consent/decide-consent';
import { BankAccounts } from '../authorise/bank-accounts.js';
import { BasketItems } from './basket-items.js';

type Answer = AnswerOf<typeof listConsentItemAccounts>;

/** The payments service asks which accounts a PSU may choose from for the consents in a basket. */
export class ListConsentItemAccounts extends QueryOf(listConsentItemAccounts) {}

/** Lists the PSU's accounts permitted by all consents in which the PSU chooses the accounts. */
@QueryHandler(ListConsentItemAccounts)
export class ListConsentItemAccountsHandler implements IQueryHandler<ListConsentItemAccounts> {
  constructor(
    private readonly items: BasketItems,
    private readonly bank: BankAccounts,
  ) {}

  async execute({ request: { consentIds, psuId } }: ListConsentItemAccounts): Promise<Answer> {
    const states = [...(await this.items.states(consentIds)).values()];
    const own = await this.bank.ofPsu(psuId);
    const accounts = states
      .filter((state) => state.psuPicksAccounts)
      .reduce<readonly (typeof own)[number][]>((openable, state) => openableAccounts(state, openable), own);
    return { accounts };
  }
}
