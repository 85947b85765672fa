import type {
  AccountDetails,
  Balance,
  TransactionDetails,
  TransactionEntry,
  TransactionsQuery,
} from '@xs2a/contracts/accounts.contract';
import type { DebtorFacts } from '@xs2a/domain/account/debtor-account';
import type { BankCall } from './bank-call.js';

/** An account as account information shows it; the caller decides what of it a consent lets through. */
export type AccountData = Omit<AccountDetails, 'balances' | 'mayReadBalances' | 'mayReadTransactions'> & {
  readonly balances: readonly Balance[];
};

/** A question for one page of an account's entries; `resourceId` is the bank's own id of the account. */
type EntriesQuery = Omit<TransactionsQuery, 'withBalance' | 'entryReferenceFrom' | 'deltaList'> & {
  /** The account's currency (ISO 4217). */
  readonly currency: string;
};
/**
 * A question for one page, which may be limited to what is new: entries that were booked after one that the caller knows, or
 * since a moment, and pending ones. Dates and booking status limit it too.
 */
export type DeltaQuery = EntriesQuery &
  Pick<TransactionsQuery, 'entryReferenceFrom'> & {
    /**
     * Limits the page to entries that were booked then or later, and pending ones; never sent with a reference.
     * @format date-time
     */
    readonly bookedSince?: string;
  };
/**
 * The reasons for which a bank gives no page: it did not give this cursor or reference for this account, or it offers
 * no deltas.
 */
export type EntriesRefusal = 'cursor-forged' | 'reference-unknown' | 'delta-not-offered';
export interface EntryLists {
  readonly booked: readonly TransactionEntry[];
  readonly pending: readonly TransactionEntry[];
}
/** A page of entries, with the cursors of the adjacent pages. A list that was not asked for is empty. */
export type EntriesPage = EntryLists & PageCursors;
export interface PageCursors {
  readonly nextCursor?: string;
  readonly previousCursor?: string;
}

/** A question about an account from which a PSU wants to pay. */
export interface FactsQuestion {
  readonly iban: string;
  readonly psuId?: string;
}

/** A bank's answers about its accounts. Every method throws BankFault when the bank does not answer. */
export interface AccountsPort {
  /** Returns the facts that the rules about debtor accounts need; no account when it is not one of this bank. */
  facts(asked: FactsQuestion, call: BankCall): Promise<DebtorFacts>;
  /** Answers accounts in the order of the ids; ids that the bank does not know are left out. */
  details(resourceIds: readonly string[], call: BankCall): Promise<readonly AccountData[]>;
  /** Returns a page of entries, newest first. A cursor that the bank did not make is refused (contract 6). */
  entries(query: DeltaQuery, call: BankCall): Promise<EntriesPage | EntriesRefusal>;
  /** Answers one entry of the account, pending or booked; a batch entry comes with its payments. */
  entry(
    account: { readonly resourceId: string; readonly currency: string },
    transactionId: string,
    call: BankCall,
  ): Promise<TransactionDetails | undefined>;
}
