import type { Balance, PsuAccount } from '@xs2a/contracts/accounts.contract';
import assert from 'node:assert/strict';
import type { DeltaQuery, EntriesRefusal } from '../port/accounts.js';
import { renderedPage, transactionDetailsText } from '../port/entry-text.js';
import type { Trial } from './sample.js';

/** The sample's account as the PSU's list has it. */
export const accountOf = async ({ bank, sample, call }: Trial): Promise<PsuAccount> => {
  const account = (await bank.psus.accountsOf(sample.psuId, call())).find(({ iban }) => iban === sample.iban);
  assert.ok(account, "the sample's account is not among the PSU's accounts");
  return account;
};

export const balancesOf = async (
  { bank, call }: Trial,
  resourceId: string,
): Promise<Readonly<Record<Balance['balanceType'], number>>> => {
  const [account] = await bank.accounts.details([resourceId], call());
  assert.ok(account, 'an account from the list of the PSU has no details');
  const minorOf = (type: Balance['balanceType']): number => {
    const balance = account.balances.find(({ balanceType }) => balanceType === type);
    assert.ok(balance, `the balance ${type} is missing`);
    return balance.amount.minor;
  };
  return { interimAvailable: minorOf('interimAvailable'), expected: minorOf('expected') };
};

/** The members of an entry that the checks compare. */
export interface SeenEntry {
  readonly transactionId: string;
  readonly entryReference?: string;
  readonly transactionAmount: { readonly amount: string };
  readonly batchNumberOfTransactions?: number;
  readonly bookingDate?: string;
  readonly valueDate: string;
}
export interface SeenPage {
  /** Both lists together, the pending ones first. */
  readonly entries: readonly SeenEntry[];
  readonly booked: readonly SeenEntry[];
  readonly pending: readonly SeenEntry[];
  readonly nextCursor?: string;
  readonly previousCursor?: string;
}

/** A page in whichever form the bank keeps it; all dates, unless the query says otherwise. */
export const pageOf = async (
  { bank, sample, call }: Trial,
  resourceId: string,
  query: Partial<DeltaQuery> = {},
): Promise<SeenPage | EntriesRefusal> => {
  const asked: DeltaQuery = {
    resourceId,
    currency: sample.currency,
    dateFrom: '2000-01-01',
    dateTo: '9999-12-31',
    bookingStatus: 'both',
    pageSize: 100,
    ...query,
  };
  const page = await bank.accounts.entries(asked, call());
  if (typeof page === 'string') return page;
  const lists = JSON.parse(Buffer.from(renderedPage(page, asked.bookingStatus)).toString()) as {
    readonly booked?: readonly SeenEntry[];
    readonly pending?: readonly SeenEntry[];
  };
  const { booked = [], pending = [] } = lists;
  const { nextCursor, previousCursor } = page;
  return { entries: [...pending, ...booked], booked, pending, nextCursor, previousCursor };
};

/** A page that must be answered. */
export const pageIn = async (
  trial: Trial,
  resourceId: string,
  query: Partial<DeltaQuery> = {},
): Promise<SeenPage> => {
  const page = await pageOf(trial, resourceId, query);
  assert.notEqual(page, 'cursor-forged', 'a cursor of the bank itself was refused');
  return page as SeenPage;
};

/** An entry that must be there, asked for alone, in whichever form the bank keeps it. */
export const entryIn = async (
  { bank, sample, call }: Trial,
  resourceId: string,
  transactionId: string,
): Promise<SeenEntry & { readonly entryDetails?: readonly Pick<SeenEntry, 'transactionAmount'>[] }> => {
  const entry = await bank.accounts.entry({ resourceId, currency: sample.currency }, transactionId, call());
  assert.ok(entry, 'an entry of the history is not found by its id');
  return JSON.parse(
    'rendered' in entry ? Buffer.from(entry.rendered).toString() : transactionDetailsText(entry),
  ) as SeenEntry;
};
