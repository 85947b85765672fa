import type {
  HoldOrder,
  HoldResult,
  PsuAccount,
  TransactionDetails,
} from '@xs2a/contracts/accounts.contract';
import type { DebtorFacts } from '@xs2a/domain/account/debtor-account';
import type {
  AccountData,
  DeltaQuery,
  EntriesRefusal,
  EntryLists,
  FactsQuestion,
  PageCursors,
} from '../port/accounts.js';
import type { BankCall } from '../port/bank-call.js';
import type { PostResult } from '../port/booking.js';
import type { FundsAnswer, FundsQuestion } from '../port/funds.js';

/** A command about money that is set aside for a payment. The same key means the same command: it is done once. */
export interface BookingCommand {
  /**
   * The id under which it is booked: a payment's own, or one that follows from an order's id and the number of its
   * occurrence or entry. @format uuid
   */
  readonly paymentId: string;
  /** @format uuid */
  readonly idempotencyKey: string;
}

/**
 * The requests that this service sends a bank over NATS, and their answers, by subject. The AsyncAPI document (docs/core-bank)
 * and the schemas by which answers are checked are made from here (`npm run events:schemas`).
 */
export interface BankMessages {
  /**
   * Asks what the bank knows of an account from which a payment is to be made. The answer has no account when it is not
   * one of this bank.
   */
  readonly 'svc.bank.accounts.facts': { readonly request: FactsQuestion; readonly answer: DebtorFacts };
  /** Asks for accounts with their balances, in the order of the ids; ids that the bank does not know are left out. */
  readonly 'svc.bank.accounts.details': {
    readonly request: { readonly resourceIds: readonly string[] };
    readonly answer: { readonly accounts: readonly AccountData[] };
  };
  /**
   * Asks for one page of an account's entries, newest first; a list that was not asked for is empty. Cursors are the
   * bank's own; it refuses one that it did not make. With `entryReferenceFrom` the page has only entries that were booked
   * after that one, with `bookedSince` those that were booked then or later, and pending ones; a bank without such deltas
   * refuses both with `delta-not-offered`.
   */
  readonly 'svc.bank.accounts.entries': {
    readonly request: DeltaQuery;
    readonly answer: (EntryLists & PageCursors) | { readonly refused: EntriesRefusal };
  };
  /**
   * Asks for one entry, pending or booked. The answer has no entry when the account has none with that id. A batch entry lists
   * its payments in `entryDetails`: as many as its `batchNumberOfTransactions`.
   */
  readonly 'svc.bank.accounts.entry': {
    readonly request: {
      readonly resourceId: string;
      readonly currency: string;
      readonly transactionId: string;
    };
    readonly answer: { readonly entry?: TransactionDetails };
  };
  /**
   * Asks whether the amount is covered by booked + credit limit − blocked. Without an IBAN the PSU's main account in that
   * currency is meant, or else the first open one.
   */
  readonly 'svc.bank.funds.covers': { readonly request: FundsQuestion; readonly answer: FundsAnswer };
  /**
   * Sets money aside, in the order given; a pending entry shows in the history. A repeat is answered as the first time.
   * The account is charged `debit`, or `amount` where there is none, and `fee`: an entry of its own, held, posted and
   * given back together with the payment. The payee gets `amount`. Orders of one `batchId` and account are one entry, if
   * the bank books batches; its amount is what is held and posted of them so far. A bank that does not ignores the id.
   */
  readonly 'svc.bank.holds.place': {
    readonly request: { readonly orders: readonly (HoldOrder & BookingCommand)[] };
    readonly answer: { readonly results: readonly HoldResult[] };
  };
  /** Moves held money for good. A payment without a hold, or whose hold was voided, is answered as not posted. */
  readonly 'svc.bank.holds.post': {
    readonly request: { readonly commands: readonly BookingCommand[] };
    readonly answer: { readonly results: readonly PostResult[] };
  };
  /** Gives held money back and takes the pending entry out; a posted hold stays posted. */
  readonly 'svc.bank.holds.void': {
    readonly request: { readonly commands: readonly BookingCommand[] };
    readonly answer: Readonly<Record<string, never>>;
  };
  /**
   * Checks a password; an unknown PSU and a wrong password cannot be distinguished by answer or duration. Never log
   * it.
   */
  readonly 'svc.bank.psus.authenticate': {
    readonly request: { readonly psuId: string; readonly password: string };
    readonly answer: { readonly psu?: { readonly psuId: string; readonly name: string } };
  };
  /** Asks for the PSU's own accounts, then those of the corporates for which the PSU signs; main accounts come first. */
  readonly 'svc.bank.psus.accounts': {
    readonly request: { readonly psuId: string };
    readonly answer: { readonly accounts: readonly PsuAccount[] };
  };
  /** Asks for a corporate customer. The answer has none when the bank does not know it. */
  readonly 'svc.bank.psus.corporate': {
    readonly request: { readonly corporateId: string };
    readonly answer: { readonly corporate?: { readonly signaturesRequired: number } };
  };
  /** Brings a one-time code to the PSU (text message, application), in the PSU's language. Never log the code. */
  readonly 'svc.bank.deliver-otp': {
    readonly request: { readonly psuId: string; readonly code: string; readonly language: string };
    readonly answer: Readonly<Record<string, never>>;
  };
}
export type BankSubject = keyof BankMessages;

/** The context that goes with each request. */
export interface BankContext extends Omit<BankCall, 'deadline'> {
  /** The caller waits this long for the answer, in milliseconds: do not begin what cannot end by then. */
  readonly timeoutMs: number;
}

/** An error, in place of an answer. Nothing was done, or it may be repeated with the same keys. */
export interface BankError {
  /** After `unavailable` and `overloaded` the same request may succeed later. */
  readonly code: 'unavailable' | 'overloaded' | 'request-refused' | 'failed';
  readonly retryAfterSeconds?: number;
}
