import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import { call } from '../call.js';

/** Identifies an instant payment, or an entry of a bulk payment of them. */
export interface LateInstantRef {
  /** The payment, or the bulk payment to which it belongs. */
  readonly paymentId: string;
  /** The number of the entry, from 1; null for a single payment. */
  readonly number: number | null;
}

/** An instant payment that the payee's bank confirmed after its rejection, for the operators' console. */
export interface LateInstant extends LateInstantRef {
  /** When the confirmation came, in real time. @format date-time */
  readonly confirmedAt: string;
  /** Absent if the payment was archived, or cannot be read now. */
  readonly amount?: MinorAmount;
}

/** Lists the open instant payments that were confirmed after their rejection, newest first, up to the limit (0 to 100). */
export const listLateInstants = call<
  { readonly limit: number },
  { readonly payments: readonly LateInstant[] }
>('svc.settlement.console.late-instants', 'idempotent');

/** Closes one that somebody has handled: it is no longer listed. False if it is not listed. Only for the operator and the console. */
export const closeLateInstant = call<LateInstantRef, { readonly closed: boolean }>(
  'svc.settlement.operator.close-late-instant',
  'idempotent',
);
