import { Controller, Inject } from '@nestjs/common';
import {
  authenticatePsu,
  checkFunds,
  listPsuAccounts,
  type PsuAccount,
  readAccountFacts,
  readCorporate,
} from '@xs2a/contracts/accounts.contract';
import type { CoreBank } from '@xs2a/core-banking/port/core-bank';
import type { DebtorFacts } from '@xs2a/domain/account/debtor-account';
import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import { CallFailed } from '@xs2a/messaging/call-failed';
import { Handles } from '@xs2a/messaging/handles';
import { BANK } from './tokens.js';

/** What the other services ask of the bank's customers and of single accounts. */
@Controller()
export class CustomersController {
  constructor(@Inject(BANK) private readonly bank: CoreBank) {}

  @Handles(readAccountFacts)
  async facts({ iban, psuId }: { iban: string; psuId?: string }): Promise<DebtorFacts> {
    return this.bank.accounts.facts(iban, psuId);
  }

  @Handles(listPsuAccounts)
  async accountsOf({ psuId }: { psuId: string }): Promise<{ accounts: readonly PsuAccount[] }> {
    return { accounts: await this.bank.psus.accountsOf(psuId) };
  }

  @Handles(authenticatePsu)
  async authenticate(credentials: {
    psuId: string;
    password: string;
  }): Promise<{ psu?: { psuId: string; name: string } }> {
    const psu = await this.bank.psus.authenticate(credentials.psuId, credentials.password);
    return psu === undefined ? {} : { psu };
  }

  @Handles(readCorporate)
  async corporate({
    corporateId,
  }: {
    corporateId: string;
  }): Promise<{ known: boolean; signaturesRequired?: number }> {
    const corporate = await this.bank.psus.corporate(corporateId);
    return corporate === undefined ? { known: false } : { known: true, ...corporate };
  }

  @Handles(checkFunds)
  async funds(question: {
    psuId: string;
    iban?: string;
    amount: MinorAmount;
  }): Promise<{ fundsAvailable: boolean }> {
    const answer = await this.bank.funds.covers(question);
    if ('refused' in answer) throw new CallFailed([answer.refused]);
    return answer;
  }
}
