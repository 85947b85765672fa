import { call } from '../call.js';
import type { SettlementQueue } from '../payments.contract.js';

/** The most positions of the log after a moment, and the most payments that were open then and changed since, that are read. */
export const maxPositionsSince = 1_000_000;
export const maxChangedSince = 10_000;

/** What was unfinished at a moment, as {@link SettlementQueue} counts it. */
export type PastPayments =
  | (Pick<SettlementQueue, 'at' | 'unfinished' | 'later'> & {
      /** The last position of the log whose event had happened by then; 0 if there was none. */
      readonly position: number;
    })
  /**
   * `too-many`: more happened since than {@link maxPositionsSince} and {@link maxChangedSince} permit. `archived`: events since then
   * were archived.
   */
  | { readonly unknown: 'too-many' | 'archived' };

/** Counts from the events which payments were unfinished at a moment of the bank's time (ISO instant). For the console. */
export const readPastPayments = call<{ readonly at: string }, PastPayments>(
  'svc.payments.console.past',
  'idempotent',
  10_000,
);
