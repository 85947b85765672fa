import type {
  AccountDetails,
  Balance,
  TransactionDetails,
  TransactionEntry,
  TransactionsQuery,
} from '@xs2a/contracts/accounts.contract';
import type { DebtorFacts } from '@xs2a/domain/account/debtor-account';
import type { BankCall } from './bank-call.js';

/** An account as account information shows it; what a consent lets through is decided by the caller. */
export type AccountData = Omit<AccountDetails, 'balances' | 'mayReadBalances' | 'mayReadTransactions'> & {
  readonly balances: readonly Balance[];
};

/** One page of an account's entries, asked by the bank's own id of the account. */
type EntriesQuery = Omit<TransactionsQuery, 'withBalance' | 'entryReferenceFrom' | 'deltaList'> & {
  /** The account's currency (ISO 4217). */
  readonly currency: string;
};
/**
 * A page of what is new: what was booked after an entry that the caller knows, or since a moment, and what is pending.
 * Dates and booking status count too.
 */
export type DeltaQuery = EntriesQuery &
  Pick<TransactionsQuery, 'entryReferenceFrom'> & {
    /** Booked then or later; not together with a reference. @format date-time */
    readonly bookedSince?: string;
  };
/** Why a bank gives no page: a cursor or a reference that is none of its own for this account, or it has no deltas. */
export type EntriesRefusal = 'cursor-forged' | 'reference-unknown' | 'delta-not-offered';
export interface EntryLists {
  readonly booked: readonly TransactionEntry[];
  readonly pending: readonly TransactionEntry[];
}
/** Entries, and the cursors of the pages beside this one. A list that was not asked for is empty. */
export type EntriesPage = EntryLists & PageCursors;
export interface PageCursors {
  readonly nextCursor?: string;
  readonly previousCursor?: string;
}

/** About an account, as seen from a PSU who wants to pay from it. */
export interface FactsQuestion {
  readonly iban: string;
  readonly psuId?: string;
}

/** What a bank says of its accounts. Every method throws BankFault when the bank does not answer. */
export interface AccountsPort {
  /** Facts for the rules about debtor accounts; no account: not this bank's. */
  facts(asked: FactsQuestion, call: BankCall): Promise<DebtorFacts>;
  /** Accounts by resource id, in the order asked; ids that the bank does not know are left out. */
  details(resourceIds: readonly string[], call: BankCall): Promise<readonly AccountData[]>;
  /** Newest first. A cursor that the bank did not make is refused (contract 6). */
  entries(query: DeltaQuery, call: BankCall): Promise<EntriesPage | EntriesRefusal>;
  /** One entry of the account, pending or booked, of a batch with its payments. */
  entry(
    account: { readonly resourceId: string; readonly currency: string },
    transactionId: string,
    call: BankCall,
  ): Promise<TransactionDetails | undefined>;
}
