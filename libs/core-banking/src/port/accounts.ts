import type {
  AccountDetails,
  Balance,
  TransactionDetails,
  TransactionEntry,
  TransactionsQuery,
} from '@xs2a/contracts/accounts.contract';
import type { DebtorFacts } from '@xs2a/domain/account/debtor-account';
import type { BankCall } from './bank-call.js';

/** An account as shown by account information. The caller decides what a consent allows to be shown. */
export type AccountData = Omit<AccountDetails, 'balances' | 'mayReadBalances' | 'mayReadTransactions'> & {
  readonly balances: readonly Balance[];
};

/** A query for one page of an account's entries. `resourceId` is the bank's own id for the account. */
type EntriesQuery = Omit<TransactionsQuery, 'withBalance' | 'entryReferenceFrom' | 'deltaList'> & {
  /** The account's currency (ISO 4217). */
  readonly currency: string;
};
/**
 * A query for one page of entries, optionally as a delta: only entries booked after a known entry or since an
 * instant, and pending ones. Dates and booking status limit the page as well.
 */
export type DeltaQuery = EntriesQuery &
  Pick<TransactionsQuery, 'entryReferenceFrom'> & {
    /**
     * Limits the page to entries booked at or after this instant, and pending ones. Never sent together with a
     * reference.
     * @format date-time
     */
    readonly bookedSince?: string;
  };
/**
 * Why a bank returns no page: it did not issue this cursor or reference for this account, or it does not offer
 * delta reports.
 */
export type EntriesRefusal = 'cursor-forged' | 'reference-unknown' | 'delta-not-offered';
export interface EntryLists {
  readonly booked: readonly TransactionEntry[];
  readonly pending: readonly TransactionEntry[];
}
/** A page of entries, with the cursors of the adjacent pages. A list that was not requested is empty. */
export type EntriesPage = EntryLists &
  PageCursors & {
    /**
     * The JSON texts of the booked entries in the form of an account information response (`transactionText`), joined by
     * commas. Present if the bank stores the entries in this form; account information then returns this text unchanged.
     */
    readonly bookedText?: string;
  };
export interface PageCursors {
  readonly nextCursor?: string;
  readonly previousCursor?: string;
}

/** A query about an account from which a PSU wants to pay. */
export interface FactsQuestion {
  readonly iban: string;
  readonly psuId?: string;
}

/** A bank's account queries. Every method throws BankFault if the bank gives no usable response. */
export interface AccountsPort {
  /**
   * Returns the facts that the debtor account rules need. The result contains no account if the account is not at
   * this bank.
   */
  facts(asked: FactsQuestion, call: BankCall): Promise<DebtorFacts>;
  /** Returns accounts in the order of the ids. Ids that the bank does not know are omitted. */
  details(resourceIds: readonly string[], call: BankCall): Promise<readonly AccountData[]>;
  /** Returns a page of entries, newest first. A cursor that the bank did not issue is refused (contract 6). */
  entries(query: DeltaQuery, call: BankCall): Promise<EntriesPage | EntriesRefusal>;
  /** Returns one entry of the account, pending or booked; a batch entry includes its payments. */
  entry(
    account: { readonly resourceId: string; readonly currency: string },
    transactionId: string,
    call: BankCall,
  ): Promise<TransactionDetails | undefined>;
}
