import type { HoldOrder, HoldResult } from '@xs2a/contracts/accounts.contract';
import { findBankCode } from '@xs2a/domain/iban/iban';
import type {
  FundsRefusalReason,
  HoldRefusalReason,
  PaymentOrder,
} from '@xs2a/domain/payment/payment-events';
import { deriveHoldId } from '../../port/booking-keys.js';
import { getDebit, computeTotalDebit } from '@xs2a/domain/payment/pricing/price-order';
import { deriveBatchEntryId, toClearingAccount, type Leg } from './ledger-ids.js';
import { deriveDebtorEntryId, toTransactionId } from '@xs2a/runtime/booking-ids';

/** An account as read from its locked row. Amounts are in minor units. */
export interface LockedAccount {
  readonly id: string;
  readonly iban: string;
  readonly currency: string;
  readonly status: 'enabled' | 'blocked' | 'closed';
  /** Expected balance: credits posted + limit − debits posted − debits pending. */
  readonly available: number;
  /** The amount in minor units that can still be credited before the counters exceed the safe integer range. */
  readonly creditRoom: number;
  /** The most that the PSU allows for one instant payment, in minor units; null if there is no limit. */
  readonly instantLimit: number | null;
}

export interface PlannedHold {
  readonly paymentId: string;
  readonly leg: Leg;
  readonly debitAccount: string;
  readonly creditAccount: string;
  /** In minor units of the currency that both accounts have. */
  readonly amount: number;
  readonly order: PaymentOrder;
  /** The debtor's entry that shows the payment: its own entry, or that of its batch. */
  readonly entryId: string;
  readonly batchId?: string;
}

/** The existing bookings that are relevant to the orders. */
export interface BookedBefore {
  /** The debtor's entry of each existing hold, keyed by hold id. */
  readonly entryOfHold: ReadonlyMap<string, string>;
  /** Batch entries to which payments can still be added, keyed by {@link batchKey}. */
  readonly openBatchEntries: ReadonlyMap<string, string>;
}

/** The key of a batch's entry: a batch has one entry in each debtor account. */
export const batchKey = (accountId: string, batchId: string): string => `${accountId} ${batchId}`;

export interface HoldPlan {
  readonly results: readonly HoldResult[];
  readonly holds: readonly PlannedHold[];
}

/**
 * Decides on a batch of holds in the given order, and tracks how much of the balance earlier payments of the batch
 * used. A payment that already has a hold returns the first result, even if the hold has since been posted or
 * voided.
 */
export const planHolds = (
  orders: readonly HoldOrder[],
  accounts: readonly LockedAccount[],
  before: BookedBefore,
  bankCode: string,
): HoldPlan => {
  const byIban = new Map(accounts.map((account) => [account.iban, account]));
  const taken = new Map<string, number>();
  const credited = new Map<string, number>();
  const entryOfHold = new Map(before.entryOfHold);
  const batchEntries = new Map(before.openBatchEntries);
  const holds: PlannedHold[] = [];
  const results = orders.map(({ paymentId, batchId, order, instant }): HoldResult => {
    const holdId = deriveHoldId(paymentId);
    const shownIn = entryOfHold.get(holdId);
    if (shownIn !== undefined) return heldResult(paymentId, shownIn);
    const debtor = byIban.get(order.debtorIban);
    const creditor = byIban.get(order.creditorAccount);
    const reason =
      debtorRefusal(debtor, order) ??
      creditorRefusal(creditor, order, bankCode, credited) ??
      (instant === true ? limitRefusal(debtor, order) : undefined) ??
      fundsRefusal(debtor, order, taken);
    if (reason !== undefined || debtor === undefined) {
      return { paymentId, held: false, reason: reason ?? 'debtor-account-unusable' };
    }
    const entryId =
      batchId === undefined
        ? deriveDebtorEntryId(paymentId)
        : batchEntryFor(batchEntries, batchKey(debtor.id, batchId), paymentId);
    entryOfHold.set(holdId, entryId);
    add(taken, debtor.id, computeTotalDebit(order).minor);
    if (creditor !== undefined) add(credited, creditor.id, order.amount.minor);
    const creditAccount = creditor?.id ?? toClearingAccount('outgoing', order.amount.currency);
    const shared = { paymentId, order, entryId, batchId };
    holds.push(...planLegs(order, debtor.id, creditAccount).map((leg) => ({ ...leg, ...shared })));
    return heldResult(paymentId, entryId);
  });
  return { results, holds };
};

const heldResult = (paymentId: string, entryId: string): HoldResult => ({
  paymentId,
  held: true,
  holdId: deriveHoldId(paymentId),
  transactionId: toTransactionId(entryId),
});

/** The id of the batch's open entry or, if there is none, of the one that this payment starts. */
const batchEntryFor = (batchEntries: Map<string, string>, key: string, paymentId: string): string => {
  const entryId = batchEntries.get(key) ?? deriveBatchEntryId(paymentId);
  batchEntries.set(key, entryId);
  return entryId;
};

type PlannedLeg = Pick<PlannedHold, 'leg' | 'debitAccount' | 'creditAccount' | 'amount'>;

/**
 * Plans the legs of a payment. Each leg is in a single currency; an exchange goes through the bank's position in
 * both currencies.
 */
const planLegs = (order: PaymentOrder, debitAccount: string, creditAccount: string): PlannedLeg[] => {
  const { amount, debit, fee } = order;
  const moved: PlannedLeg[] =
    debit === undefined
      ? [{ leg: 'payment', debitAccount, creditAccount, amount: amount.minor }]
      : [
          {
            leg: 'payment',
            debitAccount,
            creditAccount: toClearingAccount('exchange', debit.currency),
            amount: debit.minor,
          },
          {
            leg: 'exchange',
            debitAccount: toClearingAccount('exchange', amount.currency),
            creditAccount,
            amount: amount.minor,
          },
        ];
  if (fee === undefined || fee.minor === 0) return moved;
  const income = toClearingAccount('fees', fee.currency);
  return [...moved, { leg: 'fee', debitAccount, creditAccount: income, amount: fee.minor }];
};

const add = (sums: Map<string, number>, account: string, amount: number): void => {
  sums.set(account, (sums.get(account) ?? 0) + amount);
};

const debtorRefusal = (
  debtor: LockedAccount | undefined,
  order: PaymentOrder,
): FundsRefusalReason | undefined =>
  debtor === undefined || debtor.status !== 'enabled' || debtor.currency !== getDebit(order).currency
    ? 'debtor-account-unusable'
    : undefined;

const creditorRefusal = (
  creditor: LockedAccount | undefined,
  { amount, creditorAccount, debtorIban }: PaymentOrder,
  bankCode: string,
  credited: ReadonlyMap<string, number>,
): FundsRefusalReason | undefined => {
  if (creditor === undefined) {
    return findBankCode(creditorAccount) === bankCode ? 'creditor-account-unusable' : undefined;
  }
  const usable =
    creditorAccount !== debtorIban && creditor.status === 'enabled' && creditor.currency === amount.currency;
  const fits = amount.minor <= creditor.creditRoom - (credited.get(creditor.id) ?? 0);
  return usable && fits ? undefined : 'creditor-account-unusable';
};

const limitRefusal = (
  debtor: LockedAccount | undefined,
  order: PaymentOrder,
): HoldRefusalReason | undefined => {
  const limit = debtor?.instantLimit ?? Number.POSITIVE_INFINITY;
  return getDebit(order).minor > limit ? 'limit-exceeded' : undefined;
};

const fundsRefusal = (
  debtor: LockedAccount | undefined,
  order: PaymentOrder,
  taken: ReadonlyMap<string, number>,
): FundsRefusalReason | undefined =>
  debtor !== undefined && computeTotalDebit(order).minor > debtor.available - (taken.get(debtor.id) ?? 0)
    ? 'insufficient-funds'
    : undefined;
