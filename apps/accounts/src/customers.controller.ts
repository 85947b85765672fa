import { Controller, Inject } from '@nestjs/common';
import {
  authenticatePsu,
  checkFunds,
  listPsuAccounts,
  type PsuAccount,
  readAccountFacts,
  readCorporate,
} from '@xs2a/contracts/accounts.contract';
import type { FactsQuestion } from '@xs2a/core-banking/port/accounts';
import type { CoreBank } from '@xs2a/core-banking/port/core-bank';
import type { DebtorFacts } from '@xs2a/domain/account/debtor-account';
import type { FundsQuestion, FundsRefusal } from '@xs2a/core-banking/port/funds';
import { callFailed } from '@xs2a/messaging/call-failed';
import { Handles } from '@xs2a/messaging/handles';
import { BankCalls } from './bank-calls.js';
import { BANK } from './tokens.js';

/** Contract 7: how a bank's refusals are told to the TPP. */
const refusals: Readonly<Record<FundsRefusal, Parameters<typeof callFailed>>> = {
  'not-an-account-of-the-psu': ['resourceUnknown'],
  'currency-not-held': [
    'fieldMalformed',
    'instructedAmount.currency',
    'The account does not hold this currency. Send the one that it holds.',
  ],
};

/** What the other services ask of the bank's customers and of single accounts. */
@Controller()
export class CustomersController {
  constructor(
    @Inject(BANK) private readonly bank: CoreBank,
    private readonly calls: BankCalls,
  ) {}

  @Handles(readAccountFacts)
  async facts(asked: FactsQuestion): Promise<DebtorFacts> {
    return this.bank.accounts.facts(asked, this.calls.within(readAccountFacts));
  }

  @Handles(listPsuAccounts)
  async accountsOf({ psuId }: { psuId: string }): Promise<{ accounts: readonly PsuAccount[] }> {
    return { accounts: await this.bank.psus.accountsOf(psuId, this.calls.within(listPsuAccounts)) };
  }

  @Handles(authenticatePsu)
  async authenticate(credentials: {
    psuId: string;
    password: string;
  }): Promise<{ psu?: { psuId: string; name: string } }> {
    const psu = await this.bank.psus.authenticate(
      credentials.psuId,
      credentials.password,
      this.calls.within(authenticatePsu),
    );
    return psu === undefined ? {} : { psu };
  }

  @Handles(readCorporate)
  async corporate({
    corporateId,
  }: {
    corporateId: string;
  }): Promise<{ known: boolean; signaturesRequired?: number }> {
    const corporate = await this.bank.psus.corporate(corporateId, this.calls.within(readCorporate));
    return corporate === undefined ? { known: false } : { known: true, ...corporate };
  }

  @Handles(checkFunds)
  async funds(question: FundsQuestion): Promise<{ fundsAvailable: boolean }> {
    const answer = await this.bank.funds.covers(question, this.calls.within(checkFunds));
    if ('refused' in answer) throw callFailed(...refusals[answer.refused]);
    return answer;
  }
}
