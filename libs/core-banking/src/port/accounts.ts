import type {
  AccountDetails,
  Balance,
  TransactionEntry,
  TransactionsQuery,
} from '@xs2a/contracts/accounts.contract';
import type { DebtorFacts } from '@xs2a/domain/account/debtor-account';

/** An account as account information shows it; what a consent lets through is decided by the caller. */
export type AccountData = Omit<AccountDetails, 'balances' | 'mayReadBalances' | 'mayReadTransactions'> & {
  readonly balances: readonly Balance[];
};

/** One page of an account's entries, asked by the bank's own id of the account. */
export type EntriesQuery = Omit<TransactionsQuery, 'withBalance'> & {
  /** The account's currency (ISO 4217). */
  readonly currency: string;
};
export interface EntriesPage {
  readonly booked: readonly TransactionEntry[];
  readonly pending: readonly TransactionEntry[];
  readonly nextCursor?: string;
  readonly previousCursor?: string;
}

/** What a bank tells of its accounts. */
export interface AccountsPort {
  /** Facts for the rules about debtor accounts; no account: not this bank's. */
  facts(iban: string, psuId?: string): Promise<DebtorFacts>;
  /** Accounts by resource id, in the order asked; ids that the bank does not know are left out. */
  details(resourceIds: readonly string[]): Promise<readonly AccountData[]>;
  /** Newest first. A cursor that the bank did not make is refused (contract 6). */
  entries(query: EntriesQuery): Promise<EntriesPage | 'cursor-forged'>;
  /** One entry of the account, pending or booked. */
  entry(
    account: { readonly resourceId: string; readonly currency: string },
    transactionId: string,
  ): Promise<TransactionEntry | undefined>;
}
