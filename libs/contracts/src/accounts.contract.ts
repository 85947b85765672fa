import type { AccountFacts } from '@xs2a/domain/account/debtor-account';
import type { HoldRefusalReason, MinorAmount, PaymentOrder } from '@xs2a/domain/payment/payment-events';
import { type IdempotencyKey, call, type Rendered, whenKeyed } from './call.js';
import type { ClockMove } from './sandbox/clock-moves.contract.js';

/** The caller of an AIS call, taken from the access token. */
export interface AisCaller {
  readonly tppId: string;
  readonly consentId: string;
  /** Absent if the PSU is not present, in which case the call is counted. */
  readonly psuIpAddress?: string;
  /** True if the token was issued for an authorization code; false if it was issued for a refresh token. */
  readonly tokenIsFresh: boolean;
  /** Identifies the call. Repeated calls with the same id are counted once. @format uuid */
  readonly callId: string;
}

/** Berlin Group balanceType values listed in spec 2.2. */
type BalanceType = 'interimAvailable' | 'expected';
export interface Balance {
  readonly balanceType: BalanceType;
  readonly amount: MinorAmount;
  readonly creditLimitIncluded: boolean;
  /** @format date */
  readonly referenceDate: string;
}
export interface AccountDetails {
  /** The permanent id of the account. @format uuid */
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
  /** This and the next field show which links the consent permits. */
  readonly mayReadBalances: boolean;
  readonly mayReadTransactions: boolean;
}
/** Added to the AIS response to a counted call: the number of unattended calls left. */
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

/** An exchange rate of an entry, as the Berlin Group's `reportExchangeRate`. */
export interface CurrencyExchange {
  readonly sourceCurrency: string;
  readonly targetCurrency: string;
  /** The currency of which the rate buys one unit. */
  readonly unitCurrency: string;
  /** Decimal text, such as `1.95583`. */
  readonly exchangeRate: string;
  /** @format date */
  readonly quotationDate: string;
}
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
  /** Signed from the account holder's point of view: a debit is negative. */
  readonly amount: MinorAmount;
  /** The amount in the account's currency, for information, if the entry was booked in another one. */
  readonly accountCurrencyAmount?: MinorAmount;
  readonly currencyExchange?: readonly CurrencyExchange[];
  readonly creditorName?: string;
  readonly creditorAccount?: string;
  readonly debtorName?: string;
  readonly debtorAccount?: string;
  readonly remittance?: string;
  readonly bankTransactionCode?: string;
  /** The number of payments in a batch entry; absent for other entries (contract 9). */
  readonly batchNumberOfTransactions?: number;
}
/** One payment in a batch entry; its amount has the sign and currency of the entry. */
export type EntryDetail = Pick<
  TransactionEntry,
  'endToEndId' | 'amount' | 'creditorName' | 'creditorAccount' | 'debtorName' | 'debtorAccount' | 'remittance'
>;
/** A single entry; a batch entry includes its payments. */
export interface TransactionDetails extends TransactionEntry {
  readonly entryDetails?: readonly EntryDetail[];
}
export interface TransactionsQuery {
  readonly resourceId: string;
  /** ISO dates, with defaults already applied by the gateway. */
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly bookingStatus: 'booked' | 'pending' | 'both';
  readonly pageSize: number;
  /** An opaque value from one of the bank's own links. A forged cursor fails with fieldMalformed (path `cursor`). */
  readonly cursor?: string;
  readonly withBalance: boolean;
  /**
   * Limits the page to pending entries and those booked after the entry with this reference. An unknown reference
   * fails with fieldMalformed and its path.
   */
  readonly entryReferenceFrom?: string;
  /** Limits the page to pending entries and those booked since the last report for this consent and account. */
  readonly deltaList?: boolean;
}
/** `rendered` is a Berlin Group `transactions` object with the requested arrays; `_links` is added later. */
export interface TransactionsPage extends Rendered {
  readonly iban: string;
  readonly currency: string;
  /**
   * The cursor of the first page of a delta report. The first page needs a cursor too, because a request without
   * one would start another report.
   */
  readonly firstCursor?: string;
  readonly nextCursor?: string;
  readonly previousCursor?: string;
  readonly balances?: readonly Balance[];
}
/**
 * False for a first page with booked entries, because the next delta may start from this report. After a repeated
 * call, it would start from a report that the TPP never received.
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

/** Returns the facts that the debtor account rules need. `account` is absent if this bank does not hold the account. */
export const readAccountFacts = call<
  { readonly iban: string; readonly psuId?: string },
  { readonly account?: AccountFacts; readonly ownedByPsu: boolean }
>('svc.accounts.facts', 'idempotent');
export interface PsuAccount {
  /** @format iban */
  readonly iban: string;
  /** The permanent id of the account. @format uuid */
  readonly resourceId: string;
  readonly currency: string;
  readonly product: string;
  readonly type: string;
  readonly status: 'enabled' | 'blocked' | 'closed';
  readonly main: boolean;
  /** Present if the account belongs to a company. */
  readonly corporateId?: string;
}
export const listPsuAccounts = call<{ readonly psuId: string }, { readonly accounts: readonly PsuAccount[] }>(
  'svc.accounts.of-psu',
  'idempotent',
);
/** An account as a page names it to a PSU who owns it or signs for its owner. */
export interface NamedAccount {
  /** @format iban */
  readonly iban: string;
  /** The account's own name or, without one, the name of its product. */
  readonly name: string;
  /** What the account can pay now: the expected balance, credit limit included. Only present if requested. */
  readonly available?: MinorAmount;
}
/** All accounts of the PSU, or only the one with this IBAN; with what each can pay, if requested. */
export interface NamesRequest {
  readonly psuId: string;
  readonly iban?: string;
  readonly withBalance?: true;
}
/**
 * Returns the PSU's accounts, and those of corporates for which the PSU signs, as a page names them: all that are not
 * closed, or only the one with this IBAN. No account is returned to a PSU who neither owns it nor signs for its owner.
 * The timeout is short, because a page is shown without the names if they are late.
 */
export const nameAccounts = call<NamesRequest, { readonly accounts: readonly NamedAccount[] }>(
  'svc.accounts.named',
  'idempotent',
  1000,
);
/** Verifies a PSU's password in constant time; the result is the same for an unknown PSU and a wrong password. */
export const authenticatePsu = call<
  { readonly psuId: string; readonly password: string },
  { readonly psu?: { readonly psuId: string; readonly name: string } }
>('svc.accounts.authenticate-psu', 'idempotent', 5000);
export const readCorporate = call<
  { readonly corporateId: string },
  { readonly known: boolean; readonly signaturesRequired?: number }
>('svc.accounts.corporate', 'idempotent');
/**
 * Returns whether the expected balance covers the amount (spec 2.3). Without an IBAN, the PSU's main account in
 * that currency is checked, or else the first open one. Fails with resourceUnknown (not the PSU's account) or
 * fieldMalformed (no account in the currency).
 */
export const checkFunds = call<
  {
    readonly psuId: string;
    readonly iban?: string;
    /** The account currency, if the TPP specified one. */
    readonly accountCurrency?: string;
    readonly amount: MinorAmount;
  },
  { readonly fundsAvailable: boolean }
>('svc.accounts.check-funds', 'idempotent');

/**
 * An order for a two-phase booking of several payments at once. Ids are derived from the payment id, so repeating
 * the order changes nothing.
 */
export interface HoldOrder {
  /**
   * The booking id: a payment's own id, or one derived from an order's id and the number of the occurrence or
   * entry.
   */
  readonly paymentId: string;
  readonly order: PaymentOrder;
  /**
   * Id of a bulk payment that is booked as a batch (`batchBookingPreferred`, contract 9): orders with the same
   * batch id and account share one entry in the debtor's history and its `transactionId`. A bank without batch
   * booking ignores it. @format uuid
   */
  readonly batchId?: string;
  /** Present for an instant payment, to which the PSU's own limit applies. */
  readonly instant?: true;
}
export type HoldResult = { readonly paymentId: string } & (
  | { readonly held: true; readonly holdId: string; readonly transactionId: string }
  /** Only an instant payment is refused with `limit-exceeded`. */
  | { readonly held: false; readonly reason: HoldRefusalReason }
);
export const placeHolds = call<
  { readonly orders: readonly HoldOrder[] },
  { readonly results: readonly HoldResult[] }
>('svc.accounts.holds.place', 'idempotent', 5000);
/** Posts holds. `postingId` identifies the posting. A voided hold is reported as not posted. */
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
  /** The bank validates the body as a {@link NewPsu}. */
  { readonly tppId: string; readonly idempotencyKey: IdempotencyKey; readonly body: unknown },
  {
    readonly psuId: string;
    readonly password: string;
    readonly accounts: readonly { readonly iban: string; readonly currency: string }[];
  }
>('svc.accounts.sandbox.create-psu', whenKeyed, 5000);
/**
 * Fails as {@link createSandboxPsu} would in the stages before the body (contract 3). Called instead of it if the
 * gateway could not read the body.
 */
export const checkPsuBeforeBody = call<
  { readonly tppId: string; readonly idempotencyKey: IdempotencyKey },
  Record<string, never>
>('svc.accounts.sandbox.check-psu-before-body', 'idempotent');
/** Restricts which people and accounts a TPP may change in a sandbox. */
export interface Reach {
  /**
   * The TPP that must have created the person or account; the call treats all others as unknown. Absent if the TPP may
   * change all, and in calls from gateways of older releases.
   */
  readonly createdBy?: string;
}
export const depositInSandbox = call<
  Reach & {
    readonly tppId: string;
    readonly idempotencyKey: IdempotencyKey;
    readonly iban: string;
    /** The bank validates the body as `{amount, currency}`. */
    readonly body: unknown;
  },
  { readonly transactionId: string }
>('svc.accounts.sandbox.deposit', whenKeyed);
/** As {@link checkPsuBeforeBody}, for {@link depositInSandbox}. */
export const checkDepositBeforeBody = call<
  Reach & { readonly tppId: string; readonly idempotencyKey: IdempotencyKey; readonly iban: string },
  Record<string, never>
>('svc.accounts.sandbox.check-deposit-before-body', 'idempotent');
/** Blocks, closes or reopens an account; the bank validates the body as `{status}`. */
export const changeAccountStatusInSandbox = call<
  Reach & { readonly iban: string; readonly body: unknown },
  { readonly iban: string; readonly status: 'enabled' | 'blocked' | 'closed' }
>('svc.accounts.sandbox.change-account-status', 'idempotent');
/** Simulates an outcome for one PSU. The bank validates the body as `{psuId, outcome, calls?}`. */
export const simulateInSandbox = call<
  Reach & { readonly body: unknown },
  { readonly psuId: string; readonly outcome: string; readonly calls: number }
>('svc.accounts.sandbox.simulate', 'not-idempotent');
/** Moves the clock forward by this many milliseconds, and returns once this bank has stored the new time. */
export const advanceClock = call<
  {
    readonly byMs: number;
    /** Who moves it, and the duration as it was sent. Older gateways do not send it. */
    readonly move?: Omit<ClockMove, 'movedAt'>;
  },
  { readonly offsetMs: number }
>('svc.accounts.sandbox.advance-clock', 'not-idempotent');

/** Returns the currencies of those of up to 100 accounts that this bank holds, each currency once. */
export const readAccountCurrencies = call<
  { readonly ibans: readonly string[] },
  { readonly currencies: readonly string[] }
>('svc.accounts.operator.read-currencies', 'idempotent', 5000);

/**
 * Asks the core bank a question without effect (about a corporate that does not exist), so that an operator sees
 * whether it answers. Fails with dependencyDown if it does not.
 */
export const askCoreBank = call<Record<string, never>, { readonly ms: number }>(
  'svc.accounts.operator.ask-core-bank',
  'idempotent',
);
