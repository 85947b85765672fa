import { Controller, Inject } from '@nestjs/common';
import {
  askCoreBank,
  authenticatePsu,
  checkFunds,
  listPsuAccounts,
  nameAccounts,
  type NamedAccount,
  type NamesRequest,
  type PsuAccount,
  readAccountCurrencies,
  readAccountFacts,
  readCorporate,
} from '@xs2a/contracts/accounts.contract';
import type { RequestOf } from '@xs2a/contracts/call';
import type { AccountData, FactsQuestion } from '@xs2a/core-banking/port/accounts';
import type { CoreBank } from '@xs2a/core-banking/port/core-bank';
import type { DebtorFacts } from '@xs2a/domain/account/debtor-account';
import type { FundsAnswer } from '@xs2a/core-banking/port/funds';
import { fail, type Failure } from '@xs2a/domain/failure/failures';
import { CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import { Handles } from '@xs2a/calls/handles';
import { BankCalls } from './bank-calls.js';
import { BANK } from './tokens.js';

const isNotHeld = (answer: FundsAnswer): boolean =>
  'refused' in answer && answer.refused === 'currency-not-held';

const currencyNotHeld = (path: string, isAccountNamed: boolean): Failure =>
  fail(
    'fieldMalformed',
    path,
    isAccountNamed
      ? 'The account is not in this currency. Send the currency of the account.'
      : 'The PSU has no account in this currency. Send the currency of one of the accounts of the PSU.',
  );

/** A bank that reports no expected balance shows none. */
const asNamed = ({ iban, name, product, balances }: AccountData, withBalance: boolean): NamedAccount => ({
  iban,
  name: name ?? product,
  available: withBalance ? balances.find(({ balanceType }) => balanceType === 'expected')?.amount : undefined,
});

/** Handles calls from other services about the bank's customers and single accounts. */
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
  async listAccounts({ psuId }: { psuId: string }): Promise<{ accounts: readonly PsuAccount[] }> {
    return { accounts: await this.bank.psus.listAccounts(psuId, this.calls.within(listPsuAccounts)) };
  }

  @Handles(nameAccounts)
  async name({
    psuId,
    iban: only,
    withBalance,
  }: NamesRequest): Promise<{ accounts: readonly NamedAccount[] }> {
    // Both calls to the bank together have a second (contract 12).
    const call = this.calls.within(nameAccounts, 50);
    const shown = (await this.bank.psus.listAccounts(psuId, call)).filter(
      ({ iban, status }) => status !== 'closed' && (only === undefined || iban === only),
    );
    if (shown.length === 0) return { accounts: [] };
    const ids = shown.map(({ resourceId }) => resourceId);
    const details = await this.bank.accounts.details(ids, call);
    return { accounts: details.map((account) => asNamed(account, withBalance === true)) };
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
    return corporate === undefined
      ? { known: false }
      : { known: true, signaturesRequired: corporate.signaturesRequired };
  }

  @Handles(readAccountCurrencies)
  async currencies({ ibans }: RequestOf<typeof readAccountCurrencies>): Promise<{ currencies: string[] }> {
    const call = this.calls.within(readAccountCurrencies);
    const facts = await Promise.all(
      ibans.slice(0, 100).map(async (iban) => this.bank.accounts.facts({ iban }, call)),
    );
    return { currencies: [...new Set(facts.flatMap(({ account }) => account?.currency ?? []))] };
  }

  @Handles(askCoreBank)
  async askCoreBank(): Promise<{ ms: number }> {
    const asked = performance.now();
    await this.bank.psus.corporate('no-such-corporate', this.calls.within(askCoreBank));
    return { ms: performance.now() - asked };
  }

  /** A currency that the account does not have is reported for each member that names it (contract 7). */
  @Handles(checkFunds)
  async funds({
    accountCurrency,
    ...question
  }: RequestOf<typeof checkFunds>): Promise<{ fundsAvailable: boolean }> {
    const call = this.calls.within(checkFunds);
    const { amount } = question;
    const answer = await this.bank.funds.covers(question, call);
    const isNamedAlone = accountCurrency !== undefined && accountCurrency !== amount.currency;
    const named = isNamedAlone
      ? await this.bank.funds.covers({ ...question, amount: { ...amount, currency: accountCurrency } }, call)
      : answer;
    const wrong = [
      ...(accountCurrency !== undefined && isNotHeld(named) ? ['account.currency'] : []),
      ...(isNotHeld(answer) ? ['instructedAmount.currency'] : []),
    ];
    if (wrong.length > 0)
      throw new CallFailed(wrong.map((path) => currencyNotHeld(path, question.iban !== undefined)));
    if ('refused' in answer) throw callFailed('resourceUnknown', 'account');
    return answer;
  }
}
