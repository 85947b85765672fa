import type { FundsRefusalReason } from '../payment-events.js';

/** A step of settlement that the worker has done and that is to be recorded in the payment's stream. */
export type SettlementStep =
  | { readonly step: 'settlement-started'; readonly holdId: string; readonly transactionId: string }
  | { readonly step: 'funds-refused'; readonly reason: FundsRefusalReason }
  | { readonly step: 'settled'; readonly postingId: string }
  | { readonly step: 'entry-booked' };

/** A step of one occurrence of a periodic order or one entry of a bulk payment; they count from 1. */
export type TransactionStep = SettlementStep & { readonly number: number };
