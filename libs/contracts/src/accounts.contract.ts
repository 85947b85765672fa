import type { AccountFacts } from '@xs2a/domain/account/debtor-account';
import type { FundsRefusalReason, MinorAmount, PaymentOrder } from '@xs2a/domain/payment/payment-events';
import { type IdempotencyKey, call, type Rendered, whenKeyed } from './call.js';

/** The caller of an AIS call, by the access token. */
export interface AisCaller {
  readonly tppId: string;
  readonly consentId: string;
  /** Absent: the PSU is not present and the call is counted. */
  readonly psuIpAddress?: string;
  /** The token came from an authorization code, not from a refresh. */
  readonly tokenIsFresh: boolean;
  /** Names the call: it counts once, however often it is made under this name. @format uuid */
  readonly callId: string;
}

/** Berlin Group balanceType values of spec 2.2. */
type BalanceType = 'interimAvailable' | 'expected';
export interface Balance {
  readonly balanceType: BalanceType;
  readonly amount: MinorAmount;
  readonly creditLimitIncluded: boolean;
  /** @format date */
  readonly referenceDate: string;
}
export interface AccountDetails {
  /** The account's for good. @format uuid */
  readonly resourceId: string;
  /** @format iban */
  readonly iban: string;
  readonly currency: string;
  readonly product: string;
  readonly cashAccountType: string;
  readonly status: 'enabled' | 'blocked' | 'deleted';
  readonly name?: string;
  readonly ownerName?: string;
  readonly balances?: readonly Balance[];
  /** Which links the consent allows. */
  readonly mayReadBalances: boolean;
  readonly mayReadTransactions: boolean;
}
/** Every AIS answer carries how many unattended calls are left, when the call was counted. */
export interface Counted {
  readonly unattendedRemaining?: number;
}
export const listAccounts = call<
  AisCaller & { readonly withBalance: boolean },
  Counted & { readonly accounts: readonly AccountDetails[] }
>('svc.accounts.list', 'idempotent');
export const readAccount = call<
  AisCaller & { readonly resourceId: string; readonly withBalance: boolean },
  Counted & { readonly account: AccountDetails }
>('svc.accounts.read', 'idempotent');
export const readBalances = call<
  AisCaller & { readonly resourceId: string },
  Counted & { readonly iban: string; readonly currency: string; readonly balances: readonly Balance[] }
>('svc.accounts.read-balances', 'idempotent');

export interface TransactionEntry {
  /** @maxLength 35 */
  readonly transactionId: string;
  /** @maxLength 35 */
  readonly entryReference?: string;
  /** @maxLength 35 */
  readonly endToEndId?: string;
  /** Absent while pending. @format date */
  readonly bookingDate?: string;
  /** @format date */
  readonly valueDate: string;
  /** Signed from the account's view: a debit is negative. */
  readonly amount: MinorAmount;
  readonly creditorName?: string;
  readonly creditorAccount?: string;
  readonly debtorName?: string;
  readonly debtorAccount?: string;
  readonly remittance?: string;
  readonly bankTransactionCode?: string;
  /** The number of payments that a batch entry shows together; absent on every other entry (contract 9). */
  readonly batchNumberOfTransactions?: number;
}
/** One of the payments that a batch entry shows together; its amount has the sign and the currency of the entry's. */
export type EntryDetail = Pick<
  TransactionEntry,
  'endToEndId' | 'amount' | 'creditorName' | 'creditorAccount' | 'debtorName' | 'debtorAccount' | 'remittance'
>;
/** An entry that is asked for alone: of a batch entry, its payments too. */
export interface TransactionDetails extends TransactionEntry {
  readonly entryDetails?: readonly EntryDetail[];
}
export interface TransactionsQuery {
  readonly resourceId: string;
  /** ISO dates; the gateway has filled the defaults. */
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly bookingStatus: 'booked' | 'pending' | 'both';
  readonly pageSize: number;
  /** Opaque, from a link of ours; a forged one is fieldMalformed with path `cursor`. */
  readonly cursor?: string;
  readonly withBalance: boolean;
  /** Only what was booked after the entry of this reference, and what is pending; unknown is fieldMalformed with its path. */
  readonly entryReferenceFrom?: string;
  /** Only what was booked since the last report of this consent and account, and what is pending. */
  readonly deltaList?: boolean;
}
/** `rendered` is a Berlin Group `transactions` object, which has no `_links` yet: the arrays that were asked for. */
export interface TransactionsPage extends Rendered {
  readonly iban: string;
  readonly currency: string;
  /**
   * Cursor of the first page of a delta report, which needs one too: without it the page would be of another report.
   */
  readonly firstCursor?: string;
  readonly nextCursor?: string;
  readonly previousCursor?: string;
  readonly balances?: readonly Balance[];
}
/**
 * A first page with booked entries may be a report, behind which the next delta begins: a second one would begin behind the
 * first, which the TPP did not get.
 */
const mayBeReadTwice = (request: Pick<TransactionsQuery, 'cursor' | 'bookingStatus'>): boolean =>
  request.cursor !== undefined || request.bookingStatus === 'pending';
export const listTransactions = call<AisCaller & TransactionsQuery, Counted & TransactionsPage>(
  'svc.accounts.transactions',
  mayBeReadTwice,
);
/** `rendered` is a Berlin Group `transactionDetails` object. */
export const readTransaction = call<
  AisCaller & { readonly resourceId: string; readonly transactionId: string },
  Counted & Rendered
>('svc.accounts.transaction', 'idempotent');

/**
 * Reads the facts about one account that the rules about debtor accounts need; `account` is absent when it is not an
 * account of this bank.
 */
export const readAccountFacts = call<
  { readonly iban: string; readonly psuId?: string },
  { readonly account?: AccountFacts; readonly ownedByPsu: boolean }
>('svc.accounts.facts', 'idempotent');
export interface PsuAccount {
  /** @format iban */
  readonly iban: string;
  /** The account's for good. @format uuid */
  readonly resourceId: string;
  readonly currency: string;
  readonly product: string;
  readonly type: string;
  readonly status: 'enabled' | 'blocked' | 'closed';
  readonly main: boolean;
  /** Present when the account belongs to a corporate. */
  readonly corporateId?: string;
}
export const listPsuAccounts = call<{ readonly psuId: string }, { readonly accounts: readonly PsuAccount[] }>(
  'svc.accounts.of-psu',
  'idempotent',
);
/** Checks a PSU's password in constant time; one answer for an unknown PSU and a wrong password. */
export const authenticatePsu = call<
  { readonly psuId: string; readonly password: string },
  { readonly psu?: { readonly psuId: string; readonly name: string } }
>('svc.accounts.authenticate-psu', 'idempotent', 5000);
export const readCorporate = call<
  { readonly corporateId: string },
  { readonly known: boolean; readonly signaturesRequired?: number }
>('svc.accounts.corporate', 'idempotent');
/**
 * Is the amount covered by the expected balance (spec 2.3)? Without an IBAN: the PSU's main account in that currency,
 * else the first open one. Fails with resourceUnknown (not the PSU's) or fieldMalformed (a currency that is not held).
 */
export const checkFunds = call<
  {
    readonly psuId: string;
    readonly iban?: string;
    /** The currency of the account, where the TPP names one. */
    readonly accountCurrency?: string;
    readonly amount: MinorAmount;
  },
  { readonly fundsAvailable: boolean }
>('svc.accounts.check-funds', 'idempotent');

/** Two-phase booking, set-wise. Ids derive from the payment id, so a repeat does nothing. */
export interface HoldOrder {
  /**
   * The id under which it is booked: a payment's own, or one that follows from an order's id and the number of its
   * occurrence or entry.
   */
  readonly paymentId: string;
  readonly order: PaymentOrder;
  /**
   * Id of a bulk payment whose entries are to be booked as one (`batchBookingPreferred`, contract 9): orders of one batch
   * from one account are one entry in the debtor's history, and have its `transactionId`. A bank without batch booking
   * leaves it aside. @format uuid
   */
  readonly batchId?: string;
}
export type HoldResult = { readonly paymentId: string } & (
  | { readonly held: true; readonly holdId: string; readonly transactionId: string }
  | { readonly held: false; readonly reason: FundsRefusalReason }
);
export const placeHolds = call<
  { readonly orders: readonly HoldOrder[] },
  { readonly results: readonly HoldResult[] }
>('svc.accounts.holds.place', 'idempotent', 5000);
/** Posts holds; `postingId` names the posting. A hold that was voided is reported as not posted. */
export const postHolds = call<
  { readonly paymentIds: readonly string[] },
  {
    readonly results: readonly {
      readonly paymentId: string;
      readonly posted: boolean;
      readonly postingId?: string;
    }[];
  }
>('svc.accounts.holds.post', 'idempotent', 5000);
export const voidHolds = call<{ readonly paymentIds: readonly string[] }, Record<string, never>>(
  'svc.accounts.holds.void',
  'idempotent',
  5000,
);

/** Sandbox only. */
export interface NewPsu {
  readonly name?: string;
  readonly accounts: readonly {
    readonly currency: string;
    readonly opening: string;
    readonly creditLimit?: string;
    readonly type?: string;
  }[];
  readonly corporateId?: string;
  readonly signaturesRequired?: number;
}
export const createSandboxPsu = call<
  /** The body is a {@link NewPsu} once the bank has checked it. */
  { readonly tppId: string; readonly idempotencyKey: IdempotencyKey; readonly body: unknown },
  {
    readonly psuId: string;
    readonly password: string;
    readonly accounts: readonly { readonly iban: string; readonly currency: string }[];
  }
>('svc.accounts.sandbox.create-psu', whenKeyed, 5000);
export const depositInSandbox = call<
  {
    readonly tppId: string;
    readonly idempotencyKey: IdempotencyKey;
    readonly iban: string;
    /** `{amount, currency}` once the bank has checked it. */
    readonly body: unknown;
  },
  { readonly transactionId: string }
>('svc.accounts.sandbox.deposit', whenKeyed);
/** Blocks or closes an account, or opens it again; `body` is `{status}` once the bank has checked it. */
export const changeAccountStatusInSandbox = call<
  { readonly iban: string; readonly body: unknown },
  { readonly iban: string; readonly status: 'enabled' | 'blocked' | 'closed' }
>('svc.accounts.sandbox.change-account-status', 'idempotent');
/** Makes something happen next to one PSU; `body` is `{psuId, outcome, calls?}` once the bank has checked it. */
export const simulateInSandbox = call<
  { readonly body: unknown },
  { readonly psuId: string; readonly outcome: string; readonly calls: number }
>('svc.accounts.sandbox.simulate', 'not-idempotent');
/** Moves the one clock forward; answers once this bank keeps the new time for good. Milliseconds. */
export const advanceClock = call<{ readonly byMs: number }, { readonly offsetMs: number }>(
  'svc.accounts.sandbox.advance-clock',
  'not-idempotent',
);
