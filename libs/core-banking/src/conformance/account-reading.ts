import type {
  Balance,
  PsuAccount,
  TransactionDetails,
  TransactionEntry,
} from '@xs2a/contracts/accounts.contract';
import assert from 'node:assert/strict';
import type { DeltaQuery, EntriesPage, EntriesRefusal } from '../port/accounts.js';
import type { Trial } from './sample.js';

/** Finds the sample account in the list of the PSU's accounts. */
export const readAccount = async ({ bank, sample, call }: Trial): Promise<PsuAccount> => {
  const account = (await bank.psus.listAccounts(sample.psuId, call())).find(
    ({ iban }) => iban === sample.iban,
  );
  assert.ok(account, "the sample's account is not among the PSU's accounts");
  return account;
};

export const readBalances = async (
  { bank, call }: Trial,
  resourceId: string,
): Promise<Readonly<Record<Balance['balanceType'], number>>> => {
  const [account] = await bank.accounts.details([resourceId], call());
  assert.ok(account, 'an account from the list of the PSU has no details');
  const findMinor = (type: Balance['balanceType']): number => {
    const balance = account.balances.find(({ balanceType }) => balanceType === type);
    assert.ok(balance, `the balance ${type} is missing`);
    return balance.amount.minor;
  };
  return { interimAvailable: findMinor('interimAvailable'), expected: findMinor('expected') };
};

export type SeenPage = EntriesPage & {
  /** Booked and pending entries combined, pending ones first. */
  readonly entries: readonly TransactionEntry[];
};

/** Requests a page of the account's entries, for all dates unless the query limits the dates. */
export const readPage = async (
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
  return { ...page, entries: [...page.pending, ...page.booked] };
};

/** Like {@link readPage}, but fails if the bank refuses a cursor that it issued itself. */
export const pageIn = async (
  trial: Trial,
  resourceId: string,
  query: Partial<DeltaQuery> = {},
): Promise<SeenPage> => {
  const page = await readPage(trial, resourceId, query);
  assert.notEqual(page, 'cursor-forged', 'a cursor that the bank itself returned was refused');
  return page as SeenPage;
};

/** Requests one entry, which must exist. */
export const entryIn = async (
  { bank, sample, call }: Trial,
  resourceId: string,
  transactionId: string,
): Promise<TransactionDetails> => {
  const entry = await bank.accounts.entry({ resourceId, currency: sample.currency }, transactionId, call());
  assert.ok(entry, 'an entry of the history is not found by its id');
  return entry;
};
