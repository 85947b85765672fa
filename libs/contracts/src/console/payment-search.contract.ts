import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import type { OrderSearch } from '@xs2a/domain/payment/payment-search';
import type { PaymentService } from '@xs2a/domain/payment/payment-services';
import type { PaymentStatus } from '@xs2a/domain/payment/payment-state';
import { call } from '../call.js';

/** The maximum number of payments that one {@link findPayments} considers: the newest ones. */
export const maxCandidates = 2000;

/** A search by the bank's operator: all payments of one TPP or one PSU on a day. */
export interface PaymentsOfDay {
  /** Either the TPP or the PSU. The PSU has signed the payment or, as its only signer, has signed in for it. */
  readonly tppId?: string;
  readonly psuId?: string;
  /** The day of the POST in the bank's time zone. @format date */
  readonly day: string;
  /** The instructed amount: of a periodic order that of each payment, of a bulk payment the sum. */
  readonly amount?: MinorAmount;
  /** The maximum number of payments to return, up to {@link maxCandidates}. */
  readonly limit: number;
  /** The person who searches and the reason, for the record. */
  readonly operator: string;
  readonly reason?: string;
}
/** A search for those of them that match. The members of {@link OrderSearch} are encrypted, so every candidate is decrypted. */
export interface PaymentSearch extends PaymentsOfDay, OrderSearch {}
export interface FoundPayment {
  readonly paymentId: string;
  /** @format date-time */
  readonly createdAt: string;
  readonly tppId: string;
  readonly service: PaymentService;
  readonly product: PaymentProduct;
  readonly transactionStatus: PaymentStatus;
  readonly fundsAvailable?: boolean;
  readonly amount: MinorAmount;
}
export interface FoundPayments {
  /** Newest first. */
  readonly payments: readonly FoundPayment[];
  /** The number of payments that match, including those beyond the limit. */
  readonly found: number;
  /** The number of payments that were compared with the search. */
  readonly searched: number;
  /** The number of payments of the TPP or PSU, day and amount. */
  readonly candidates: number;
  /** The months of the day (`2026-11`) whose ended payments are archived, and therefore not searched. */
  readonly archivedMonths: readonly string[];
  /** True if rows that an earlier release wrote lack the time of the POST, and are therefore not searched. */
  readonly isOutdated: boolean;
  /** True if the search stopped before it had compared all of them, because its caller does not wait longer. */
  readonly isCut?: true;
}
/** Finds payments. A search by PSU is recorded in the log of privacy requests. */
export const findPayments = call<PaymentsOfDay, FoundPayments>(
  'svc.payments.operator.find',
  'not-idempotent',
  10_000,
);
/** Milliseconds that a search in encrypted data may take. */
export const longestSearchMs = 10_000;
/** Finds payments by their encrypted data and records the search. For the console, which has counted it before. */
export const searchPayments = call<PaymentSearch, FoundPayments>(
  'svc.payments.console.search',
  'not-idempotent',
  longestSearchMs,
);
