import type { NotificationRegistration } from '../notification/notification-content.js';
import type { PeriodicSchedule } from '../order/periodic-schedule.js';
import type { Authorisation } from '../sca/authorisations.js';
import type { PaymentOrder, RedirectUris, RejectionReason } from './payment-events.js';
import type { PaymentProduct, PaymentType } from './payment-products.js';
import type { PaymentService } from './payment-services.js';

/**
 * ISO 20022 payment status codes that a payment initiation can have (spec 3.1, 3.2); PATC while one of several signers is
 * missing, PART for a bulk payment of which some entries are paid and the others had no funds.
 */
export const paymentStatuses = ['RCVD', 'PATC', 'ACCP', 'ACSP', 'ACSC', 'PART', 'RJCT', 'CANC'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** The part of a payment initiation that does not depend on its payment service: submitted, signed, ended. */
interface InitiationState {
  readonly paymentId: string;
  readonly tppId: string;
  readonly product: PaymentProduct;
  readonly paymentType: PaymentType;
  readonly body: Readonly<Record<string, unknown>>;
  readonly namedPsuId?: string;
  readonly redirectUris: RedirectUris;
  /** The address to which its changes are pushed. */
  readonly notification?: NotificationRegistration;
  readonly expiresAt: string;
  readonly status: PaymentStatus;
  /** The number of different persons who have to sign. */
  readonly signaturesRequired: number;
  readonly authorisations: readonly Authorisation[];
  /** `executionDate` and `dueAt` of a periodic order are those of its first occurrence. */
  readonly signed?: { readonly signedAt: string; readonly executionDate: string; readonly dueAt: string };
  readonly fundsAvailable?: boolean;
  readonly rejectionReason?: RejectionReason;
  /** The signing basket that took it, also once that is decided. */
  readonly basketId?: string;
  /** Signing baskets that can never take it: each gave it back, or ended before it had taken it. */
  readonly formerBasketIds?: readonly string[];
  /** The Idempotency-Key of the DELETE that cancelled it; a retry with it is answered 204 again. */
  readonly cancelledWithKey?: string;
}

/** A single payment as its events tell it. */
export interface SinglePayment extends InitiationState {
  /** A single payment has no such member. */
  readonly service?: undefined;
  readonly order: PaymentOrder;
  readonly requestedExecutionDate?: string;
  readonly holdId?: string;
  readonly transactionId?: string;
  readonly bookAt?: string;
  readonly entryBooked: boolean;
}

/** An occurrence of a periodic order that is to come. */
export interface PlannedOccurrence {
  /** Counts from 1. */
  readonly number: number;
  /** ISO date. */
  readonly executionDate: string;
  /** ISO instant. */
  readonly dueAt: string;
}

/** A periodic order as its events tell it. Of its occurrences it knows the next, the one under way and the last. */
export interface PeriodicOrder extends InitiationState {
  readonly service: 'periodic-payments';
  /** The order that each occurrence pays. */
  readonly order: PaymentOrder;
  readonly schedule: PeriodicSchedule;
  /** The next occurrence; absent before the signature and when there is none after the one under way. */
  readonly planned?: PlannedOccurrence;
  /** The occurrence whose funds are held and not posted yet. */
  readonly started?: PlannedOccurrence & { readonly holdId: string };
  /** The latest occurrence that was posted or skipped; all before it were too. */
  readonly ended?: { readonly number: number; readonly fundsAvailable: boolean };
}

/** An entry of a bulk payment: to be held (ACCP), held (ACSP), posted (ACSC), or ACCP for good without funds. */
export interface BulkEntry {
  readonly transactionStatus: 'ACCP' | 'ACSP' | 'ACSC';
  readonly fundsAvailable?: boolean;
  readonly holdId?: string;
  readonly transactionId?: string;
}

/** A bulk payment as its events tell it. */
export interface BulkPayment extends InitiationState {
  readonly service: 'bulk-payments';
  /** The orders of the entries, in the order of the body. */
  readonly orders: readonly PaymentOrder[];
  readonly batchBookingPreferred: boolean;
  readonly requestedExecutionDate?: string;
  /** In the order of the body. */
  readonly entries: readonly BulkEntry[];
}

/** A payment initiation as its events tell it. */
export type PaymentState = SinglePayment | PeriodicOrder | BulkPayment;

/** A single payment has no member `service`, a periodic order and a bulk payment have one. */
export const isSinglePayment = (state: PaymentState): state is SinglePayment => state.service === undefined;

export const getService = ({ service }: { readonly service?: PaymentService }): PaymentService =>
  service ?? 'payments';

/** The orders to be paid, one for each transaction; a periodic order pays its one order again and again. */
export const listOrders = (state: PaymentState): readonly PaymentOrder[] =>
  state.service === 'bulk-payments' ? state.orders : [state.order];

/** The order, or a bulk payment's first one: all of them have the same debtor account and currency. */
export const getFirstOrder = (state: PaymentState): PaymentOrder => {
  const [first] = listOrders(state);
  if (first === undefined) throw new Error('A bulk payment has entries.');
  return first;
};
