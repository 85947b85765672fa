import type { FundsRefusalReason } from '../payment-events.js';

/** A completed settlement step that has to be recorded in the payment's stream. */
export type SettlementStep =
  | { readonly step: 'settlement-started'; readonly holdId: string; readonly transactionId: string }
  | { readonly step: 'funds-refused'; readonly reason: FundsRefusalReason }
  | { readonly step: 'settled'; readonly postingId: string }
  | { readonly step: 'entry-booked' };

/** A step of an occurrence of a periodic order or of an entry of a bulk payment; numbers are 1-based. */
export type TransactionStep = SettlementStep & { readonly number: number };
