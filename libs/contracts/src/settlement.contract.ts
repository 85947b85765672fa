import { call } from './call.js';

/**
 * Returns once all settlement and booking work that is currently due is done. Fails with dependencyDown if this
 * takes too long.
 */
export const drainSettlement = call<Record<string, never>, Record<string, never>>(
  'svc.settlement.drain',
  'idempotent',
  10_000,
);

/** A transaction whose settlement has started or failed, and has not finished, for the operators' console. */
export interface UnfinishedTransaction {
  /** The payment, or the periodic order or bulk payment to which the transaction belongs. */
  readonly paymentId: string;
  /** The number of the occurrence or entry, from 1; null for a single payment. */
  readonly number: number | null;
  /** The number of failed attempts. */
  readonly failures: number;
  /** When it started, in real time. @format date-time */
  readonly startedAt: string;
  /** The next attempt, in real time; null if none has failed. @format date-time */
  readonly retryAt: string | null;
  /** Why the latest attempt failed. */
  readonly reason: string | null;
}
export interface UnfinishedTransactions {
  readonly started: number;
  readonly failing: number;
  /** Events that the worker could not handle. */
  readonly deadLetters: number;
  /** Failing ones first, then the oldest. */
  readonly transactions: readonly UnfinishedTransaction[];
}
/** Reads the unfinished transactions up to the limit (0 to 500), of one payment if it is given. */
export const readUnfinishedTransactions = call<
  { readonly limit: number; readonly paymentId?: string },
  UnfinishedTransactions
>('svc.settlement.console.unfinished', 'idempotent');

/**
 * Makes the next attempts for a payment due now whose settlement failed. The worker makes them, as it would have later, so
 * nothing is booked twice. Only for the operator and the console.
 */
export const trySettlementNow = call<
  { readonly paymentId: string },
  {
    /** The number of its transactions that waited for their next attempt. */
    readonly hurried: number;
    /** The number of its transactions that have started or failed, with those. */
    readonly unfinished: number;
  }
>('svc.settlement.operator.try-now', 'idempotent', 5000);
