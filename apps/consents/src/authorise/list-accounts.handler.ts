import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { QueryOf } from '@xs2a/calls/handlers';
import type { AnswerOf } from '@xs2a/contracts/call';
import { listOpenableAccounts } from '@xs2a/contracts/consents.contract';
import { openableAccounts } from '@xs2a/domain/consent/decide-consent';
import { Consents } from '../store/consents.js';
import { BankAccounts } from './bank-accounts.js';

type Answer = AnswerOf<typeof listOpenableAccounts>;

/** The SCA pages ask which accounts the PSU may choose from for the consent (contract 12). */
export class ListOpenableAccounts extends QueryOf(listOpenableAccounts) {}

/** Lists the PSU's accounts that the consent can cover. */
@QueryHandler(ListOpenableAccounts)
export class ListOpenableAccountsHandler implements IQueryHandler<ListOpenableAccounts> {
  constructor(
    private readonly consents: Consents,
    private readonly bank: BankAccounts,
  ) {}

  async execute({ request: { consentId, psuId } }: ListOpenableAccounts): Promise<Answer> {
    const consent = await this.consents.read(consentId, () => true);
    return { accounts: openableAccounts(consent, await this.bank.ofPsu(psuId)) };
  }
}
