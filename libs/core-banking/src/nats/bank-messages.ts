import type {
  HoldOrder,
  HoldResult,
  PsuAccount,
  TransactionDetails,
} from '@xs2a/contracts/accounts.contract';
import type { DebtorFacts } from '@xs2a/domain/account/debtor-account';
import type { InstantAnswer } from '@xs2a/domain/payment/instant/instant-answer';
import type { PaymentOrder } from '@xs2a/domain/payment/payment-events';
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
import type { Corporate } from '../port/psus.js';
import type { PayeeAnswer, PayeeQuestion } from '../port/payees.js';

/** A booking command for the funds of a payment. A command repeated with the same key is executed only once. */
export interface BookingCommand {
  /**
   * The booking id: a payment's own id, or one derived from an order's id and the number of its occurrence or
   * entry. @format uuid
   */
  readonly paymentId: string;
  /** @format uuid */
  readonly idempotencyKey: string;
}

/**
 * The requests that this service sends to a bank over NATS, and their responses, by subject. The AsyncAPI document
 * (docs/core-bank) and the schemas that validate the responses are generated from this type (`npm run
 * events:schemas`).
 */
export interface BankMessages {
  /**
   * Requests the facts about an account that is to be debited. The response contains no account if the account is
   * not at this bank.
   */
  readonly 'svc.bank.accounts.facts': { readonly request: FactsQuestion; readonly answer: DebtorFacts };
  /** Requests accounts with their balances, in the order of the ids. Ids that the bank does not know are omitted. */
  readonly 'svc.bank.accounts.details': {
    readonly request: { readonly resourceIds: readonly string[] };
    readonly answer: { readonly accounts: readonly AccountData[] };
  };
  /**
   * Requests one page of an account's entries, newest first; a list that was not requested is empty. Cursors are
   * issued by the bank, which refuses any others. With `entryReferenceFrom`, the page contains only entries booked
   * after that entry, and pending ones; with `bookedSince`, only entries booked at or after that time, and pending
   * ones. A bank that does not support such delta reports refuses both with `delta-not-offered`.
   */
  readonly 'svc.bank.accounts.entries': {
    readonly request: DeltaQuery;
    readonly answer: (EntryLists & PageCursors) | { readonly refused: EntriesRefusal };
  };
  /**
   * Requests one entry, pending or booked. The response contains no entry if the account has none with that id. A
   * batch entry lists its payments in `entryDetails`; their number must equal its `batchNumberOfTransactions`.
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
   * Asks if the booked balance + credit limit − blocked funds cover the amount. Without an IBAN, the account is
   * the PSU's main account in that currency or, if there is none, the first open one.
   */
  readonly 'svc.bank.funds.covers': { readonly request: FundsQuestion; readonly answer: FundsAnswer };
  /**
   * Holds funds, in the given order; each hold adds a pending entry to the history. A repeat returns the first
   * result. The account is charged `debit`, or `amount` if there is no `debit`, plus `fee`, which has a separate
   * entry and is held, posted and voided together with the payment. The payee receives `amount`. If the bank
   * supports batch booking, orders with the same `batchId` and account share one entry, whose amount is the sum
   * held and posted so far. Other banks ignore the id. An order with `instant` is refused with `limit-exceeded` if its
   * amount is above the limit that the PSU has set for instant payments.
   */
  readonly 'svc.bank.holds.place': {
    readonly request: { readonly orders: readonly (HoldOrder & BookingCommand)[] };
    readonly answer: { readonly results: readonly HoldResult[] };
  };
  /** Posts held funds, which is final. A payment with no hold or with a voided hold is returned as not posted. */
  readonly 'svc.bank.holds.post': {
    readonly request: { readonly commands: readonly BookingCommand[] };
    readonly answer: { readonly results: readonly PostResult[] };
  };
  /** Releases held funds and removes the pending entry; a posted hold stays posted. */
  readonly 'svc.bank.holds.void': {
    readonly request: { readonly commands: readonly BookingCommand[] };
    readonly answer: Readonly<Record<string, never>>;
  };
  /**
   * Only for a bank that offers instant payments: sends an order, whose amount is held, to the payee's bank, and
   * answers with the outcome. The first outcome of a payment id never changes: a repeat, which may come much later,
   * gets the same answer. An order that is first heard of after its `deadline` (real time) is not sent, and is rejected
   * with AB11. Do not answer while there is no outcome. The hold is then posted, whereupon its entry is booked at once,
   * or voided. If the payee's account is at this bank, the outcome is known at once.
   */
  readonly 'svc.bank.instant.send': {
    readonly request: {
      /** The booking id, as of the hold. @format uuid */
      readonly paymentId: string;
      readonly order: PaymentOrder;
      /** @format date-time */
      readonly deadline: string;
    };
    readonly answer: InstantAnswer;
  };
  /**
   * Verifies a password. The responses for an unknown PSU and for a wrong password must have the same content and
   * take the same time. Never log the password.
   */
  readonly 'svc.bank.psus.authenticate': {
    readonly request: { readonly psuId: string; readonly password: string };
    readonly answer: { readonly psu?: { readonly psuId: string; readonly name: string } };
  };
  /**
   * Requests the PSU's own accounts, followed by those of the corporates for which the PSU signs; in each group,
   * main accounts come first.
   */
  readonly 'svc.bank.psus.accounts': {
    readonly request: { readonly psuId: string };
    readonly answer: { readonly accounts: readonly PsuAccount[] };
  };
  /** Requests a corporate customer. The response contains none if the bank does not know it. */
  readonly 'svc.bank.psus.corporate': {
    readonly request: { readonly corporateId: string };
    readonly answer: { readonly corporate?: Corporate };
  };
  /**
   * Compares a name, or an identification, with the holders of an account at the bank, or asks the bank that has the
   * account. `CLOSE_MATCH` discloses the holder's name. `NOT_POSSIBLE` if the account is unknown or closed, if no
   * identification of the holder is known, or if the payee's bank does not answer in time. Required only of a bank
   * that verifies payees. Never log the names.
   */
  readonly 'svc.bank.payees.verify': { readonly request: PayeeQuestion; readonly answer: PayeeAnswer };
  /** Delivers a one-time code to the PSU by text message or app, in the PSU's language. Never log the code. */
  readonly 'svc.bank.deliver-otp': {
    readonly request: { readonly psuId: string; readonly code: string; readonly language: string };
    readonly answer: {
      /**
       * Where the code was sent, masked, as the page shows it to a PSU who has given the password: for example
       * `+359 ••• ••• 42`. If absent, the page says "your usual device".
       *
       * @minLength 1
       * @maxLength 40
       */
      readonly sentTo?: string;
    };
  };
  /**
   * Optional: notifies the PSU by another channel than the pages, for example by text message. `sca-locked`:
   * five wrong passwords or codes in a row have locked SCA until this instant. Nothing depends on the answer.
   */
  readonly 'svc.bank.tell-psu': {
    readonly request: { readonly psuId: string; readonly event: 'sca-locked'; readonly until: string };
    readonly answer: Readonly<Record<string, never>>;
  };
}
export type BankSubject = keyof BankMessages;

/** The context sent with each request. */
export interface BankContext extends Omit<BankCall, 'deadline'> {
  /**
   * How long the caller waits for the response, in milliseconds. Do not start work that cannot finish within this
   * time.
   */
  readonly timeoutMs: number;
}

/**
 * An error instead of a response. It means either that nothing was done, or that the request may be repeated with
 * the same keys.
 */
export interface BankError {
  /** After `unavailable` or `overloaded`, the same request may succeed later. */
  readonly code: 'unavailable' | 'overloaded' | 'request-refused' | 'failed';
  readonly retryAfterSeconds?: number;
}
