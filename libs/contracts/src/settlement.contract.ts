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
  /** Instant payments that were confirmed after their rejection, and that nobody has closed. */
  readonly confirmedLate: number;
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

/** Identifies an event that the worker could not handle. */
export interface SettlementLetterRef {
  readonly consumer: string;
  /** The event's position; for a message that is not an event, its negated stream sequence. */
  readonly pos: number;
}
export interface SettlementLetter extends SettlementLetterRef {
  readonly subject: string;
  /** The kind of the last error, without its data. */
  readonly reason: string;
  /** @format date-time */
  readonly addedAt: string;
  /** Null if no replay has been requested since it was stored. */
  readonly replay: 'requested' | 'under-way' | 'failed' | null;
  /** The event as JSON, with personal data masked; null if the message is not JSON. */
  readonly event: string | null;
}
/** Lists the oldest dead letters up to the limit (0 to 100). */
export const listSettlementLetters = call<
  { readonly limit: number },
  { readonly letters: readonly SettlementLetter[] }
>('svc.settlement.console.letters', 'idempotent');
/** Asks the worker to handle a dead letter again, which has one effect. False if there is none. Only for the console. */
export const replaySettlementLetter = call<SettlementLetterRef, { readonly requested: boolean }>(
  'svc.settlement.console.replay-letter',
  'idempotent',
);
/** Deletes a dead letter. False if there is none, or if it is being replayed. Only for the console. */
export const discardSettlementLetter = call<SettlementLetterRef, { readonly discarded: boolean }>(
  'svc.settlement.console.discard-letter',
  'not-idempotent',
);
