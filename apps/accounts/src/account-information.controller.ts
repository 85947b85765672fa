import { Controller, Inject } from '@nestjs/common';
import {
  type AccountDetails,
  type AisCaller,
  type Balance,
  type Counted,
  listAccounts,
  listTransactions,
  readAccount,
  readBalances,
  readTransaction,
  type TransactionEntry,
  type TransactionsPage,
  type TransactionsQuery,
} from '@xs2a/contracts/accounts.contract';
import type { AccountData, EntriesPage, EntriesRefusal } from '@xs2a/core-banking/port/accounts';
import type { BankCall } from '@xs2a/core-banking/port/bank-call';
import type { CoreBank } from '@xs2a/core-banking/port/core-bank';
import { transactionDetailsText, transactionsText } from '@xs2a/core-banking/rendering/entry-text';
import {
  isSwitching,
  readSwitchOver,
  type SwitchOverSetting,
} from '@xs2a/core-banking/sandbox/switch-over/switch-over-setting';
import type { GrantedAccount } from '@xs2a/domain/consent/consent-events';
import { currencyNow } from '@xs2a/domain/consent/consent-grant';
import type { Profile } from '@xs2a/domain/profile/profile';
import { lastInstantBefore } from '@xs2a/domain/switch-over/switch-over-phase';
import { toBankDate } from '@xs2a/domain/time/bank-calendar';
import type { Rendered } from '@xs2a/contracts/call';
import { callFailed } from '@xs2a/domain/failure/failed';
import { Handles } from '@xs2a/calls/handles';
import { POOL, PROFILE } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { BankCalls } from './bank-calls.js';
import { ConsentAccess } from './consent-access.js';
import {
  beforeAnyReport,
  deltaCursor,
  type DeltaPlace,
  readDeltaCursor,
  reportsUpToNow,
} from './delta-report.js';
import { BANK } from './tokens.js';

const listRefusals = (
  deltaName: 'entryReferenceFrom' | 'deltaList',
): Readonly<Record<EntriesRefusal, Parameters<typeof callFailed>>> => ({
  'cursor-forged': ['fieldMalformed', 'cursor', 'Follow a link from an earlier page.'],
  'reference-unknown': [
    'fieldMalformed',
    'entryReferenceFrom',
    'Send the entryReference of a booked entry of this account.',
  ],
  'delta-not-offered': ['parameterNotSupported', deltaName],
});

/** An account with its currency now. */
interface AccountNow extends Pick<GrantedAccount, 'resourceId' | 'currency'> {
  /** True if the core bank has converted it and the profile is still that of the lev. */
  readonly isInEuroEarly: boolean;
}

/** Leaves out the members that the API has only in the euro profile. */
const withoutExchange = <Entry extends TransactionEntry>(entry: Entry): Entry => ({
  ...entry,
  accountCurrencyAmount: undefined,
  currencyExchange: undefined,
});

interface ReportPage {
  readonly page: Pick<EntriesPage, 'booked' | 'pending' | 'bookedText'>;
  readonly cursors: Pick<TransactionsPage, 'firstCursor' | 'nextCursor' | 'previousCursor'>;
}

/** Account information (spec 4.4, contract 6): the bank's data, limited to what the consent allows. */
@Controller()
export class AccountInformationController {
  constructor(
    private readonly access: ConsentAccess,
    @Inject(BANK) private readonly bank: CoreBank,
    private readonly calls: BankCalls,
    @Inject(PROFILE) private readonly profile: Profile,
    @Inject(POOL) private readonly pool: Pool,
  ) {}

  @Handles(listAccounts)
  async list(
    request: AisCaller & { withBalance: boolean },
  ): Promise<Counted & { accounts: readonly AccountDetails[] }> {
    const call = this.calls.within(listAccounts);
    return this.access.toList(request, async (granted) => {
      const ids = granted.map(({ resourceId }) => resourceId);
      const accounts = await this.bank.accounts.details(ids, call);
      const rightsByAccount = new Map(granted.map((account) => [account.resourceId, account.access]));
      return {
        accounts: accounts.map((account) =>
          asConsented(account, rightsByAccount.get(account.resourceId) ?? [], request.withBalance),
        ),
      };
    });
  }

  @Handles(readAccount)
  async read(
    request: AisCaller & { resourceId: string; withBalance: boolean },
  ): Promise<Counted & { account: AccountDetails }> {
    const call = this.calls.within(readAccount);
    return this.access.toAccount(request, 'account', async (granted) => ({
      account: asConsented(await this.readDetails(granted, call), granted.access, request.withBalance),
    }));
  }

  @Handles(readBalances)
  async balances(
    request: AisCaller & { resourceId: string },
  ): Promise<Counted & { iban: string; currency: string; balances: readonly Balance[] }> {
    const call = this.calls.within(readBalances);
    return this.access.toAccount(request, 'balances', async (granted) => {
      const { iban, currency, balances } = await this.readDetails(granted, call);
      return { iban, currency, balances };
    });
  }

  @Handles(listTransactions)
  async transactions(request: AisCaller & TransactionsQuery): Promise<Counted & TransactionsPage> {
    const call = this.calls.within(listTransactions);
    const switchOver = await this.readSwitchOver();
    const reportsAt = this.reportsAt(request, switchOver, call);
    return this.access.toReport(request, reportsAt, async (granted, lastReportAt) => {
      const { iban } = granted;
      const account = await this.accountNow(granted, switchOver, call);
      const { currency } = account;
      const { deltaList = false, ...query } = request;
      const { page, cursors } = deltaList
        ? await this.deltaPage(query, account, lastReportAt, call)
        : await this.page(query, account, call);
      const showsBalances = request.withBalance && granted.access.includes('balances');
      const balances = showsBalances ? (await this.readDetails(granted, call)).balances : undefined;
      const rendered = Buffer.from(transactionsText(page, request.bookingStatus));
      return { iban, currency, ...cursors, balances, rendered };
    });
  }

  @Handles(readTransaction)
  async transaction(
    request: AisCaller & { resourceId: string; transactionId: string },
  ): Promise<Counted & Rendered> {
    const call = this.calls.within(readTransaction);
    return this.access.toAccount(request, 'transactions', async (granted) => {
      const switchOver = await this.readSwitchOver();
      const { resourceId, currency, isInEuroEarly } = await this.accountNow(granted, switchOver, call);
      const asked = { resourceId, currency };
      const entry = await this.bank.accounts.entry(asked, request.transactionId, call);
      if (entry === undefined) throw callFailed('resourceUnknown');
      const transaction = isInEuroEarly ? withoutExchange(entry) : entry;
      return { rendered: Buffer.from(transactionDetailsText(transaction)) };
    });
  }

  /**
   * The time from which the next delta report starts; undefined if the call is no report. While the bank switches to
   * euro, it is the time at which settlement and conversion still book (contract E5.4).
   */
  private reportsAt(
    query: TransactionsQuery,
    switchOver: SwitchOverSetting | undefined,
    { at }: BankCall,
  ): string | undefined {
    if (!reportsUpToNow(query, toBankDate(at, this.profile.timeZone))) return undefined;
    return isSwitching(switchOver, at) ? lastInstantBefore(switchOver.at) : at;
  }

  private async page(
    query: Omit<TransactionsQuery, 'deltaList'> & Partial<DeltaPlace>,
    account: AccountNow,
    call: BankCall,
  ): Promise<ReportPage> {
    const { resourceId, currency, isInEuroEarly } = account;
    const page = await this.bank.accounts.entries({ ...query, resourceId, currency }, call);
    if (typeof page === 'string') {
      const deltaName = query.bookedSince === undefined ? 'entryReferenceFrom' : 'deltaList';
      throw callFailed(...listRefusals(deltaName)[page]);
    }
    const { nextCursor, previousCursor } = page;
    return {
      page: isInEuroEarly
        ? { booked: page.booked.map(withoutExchange), pending: page.pending.map(withoutExchange) }
        : page,
      cursors: { nextCursor, previousCursor },
    };
  }

  /** The page links of a delta report keep its start: the time of the report before its first page. */
  private async deltaPage(
    query: Omit<TransactionsQuery, 'deltaList'>,
    account: AccountNow,
    lastReportAt: string | undefined,
    call: BankCall,
  ): Promise<ReportPage> {
    const { cursor } = query;
    const place =
      cursor === undefined ? { bookedSince: lastReportAt ?? beforeAnyReport } : readDeltaCursor(cursor);
    if (place === undefined) throw callFailed(...listRefusals('deltaList')['cursor-forged']);
    const { bookedSince } = place;
    const { page, cursors } = await this.page({ ...query, ...place, cursor: place.cursor }, account, call);
    const within = (cursor: string | undefined): string | undefined =>
      cursor === undefined ? undefined : deltaCursor({ bookedSince, cursor });
    return {
      page,
      cursors: {
        firstCursor: deltaCursor({ bookedSince }),
        nextCursor: within(cursors.nextCursor),
        previousCursor: within(cursors.previousCursor),
      },
    };
  }

  /** While the bank switches to euro, only its core system knows if the account is converted already. */
  private async accountNow(
    granted: GrantedAccount,
    switchOver: SwitchOverSetting | undefined,
    call: BankCall,
  ): Promise<AccountNow> {
    const { resourceId } = granted;
    const currency = currencyNow(granted, this.profile);
    if (currency !== 'BGN' || !isSwitching(switchOver, call.at))
      return { resourceId, currency, isInEuroEarly: false };
    const details = await this.readDetails(granted, call);
    return { resourceId, currency: details.currency, isInEuroEarly: details.currency === 'EUR' };
  }

  /** Returns the planned switch-over to the euro. Undefined if none is planned, or if the profile is in euro and the lev has ended. */
  private async readSwitchOver(): Promise<SwitchOverSetting | undefined> {
    return this.profile.levEnd === undefined ? readSwitchOver(this.pool) : undefined;
  }

  private async readDetails({ resourceId }: GrantedAccount, call: BankCall): Promise<AccountData> {
    const [account] = await this.bank.accounts.details([resourceId], call);
    if (account === undefined) throw callFailed('resourceUnknown');
    return account;
  }
}

const asConsented = (
  { balances, ...account }: AccountData,
  access: GrantedAccount['access'],
  withBalance: boolean,
): AccountDetails => {
  const mayReadBalances = access.includes('balances');
  return {
    ...account,
    balances: withBalance && mayReadBalances ? balances : undefined,
    mayReadBalances,
    mayReadTransactions: access.includes('transactions'),
  };
};
