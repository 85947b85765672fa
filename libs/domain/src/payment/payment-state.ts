import type { NotificationRegistration } from '../notification/notification-content.js';
import type { PeriodicSchedule } from '../order/periodic-schedule.js';
import type { Authorisation } from '../sca/authorisations.js';
import type { PayeesVerified } from '../payee/payees-verified.js';
import type { InstantAnswer, ReasonCode } from './instant/instant-answer.js';
import type { PaymentOrder, RedirectUris, RejectionReason } from './payment-events.js';
import type { PaymentProduct, PaymentType } from './payment-products.js';
import type { PaymentService } from './payment-services.js';

/**
 * ISO 20022 status codes of a payment initiation (spec 3.1, 3.2). PATC: some but not all of several signers have
 * signed. PART: a bulk payment with some entries paid and some unfunded.
 */
export const paymentStatuses = ['RCVD', 'PATC', 'ACCP', 'ACSP', 'ACSC', 'PART', 'RJCT', 'CANC'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** The part of a payment initiation's state that all payment services share: submission, signature and end. */
interface InitiationState {
  readonly paymentId: string;
  readonly tppId: string;
  /** The instant of the POST. */
  readonly createdAt: string;
  readonly product: PaymentProduct;
  readonly paymentType: PaymentType;
  readonly body: Readonly<Record<string, unknown>>;
  readonly namedPsuId?: string;
  readonly redirectUris: RedirectUris;
  /** The address for pushed status changes. */
  readonly notification?: NotificationRegistration;
  readonly expiresAt: string;
  readonly status: PaymentStatus;
  /** The number of signatures required. */
  readonly signaturesRequired: number;
  readonly authorisations: readonly Authorisation[];
  /** For a periodic order, `executionDate` and `dueAt` belong to its first occurrence. */
  readonly signed?: {
    readonly signedAt: string;
    readonly executionDate: string;
    readonly dueAt: string;
    /** See the event `signed`. */
    readonly answerBy?: string;
  };
  readonly fundsAvailable?: boolean;
  readonly rejectionReason?: RejectionReason;
  /** The instant (ISO) of the switch-over that converted the payment from leva to euro; the body stays in leva. */
  readonly convertedAt?: string;
  /** The signing basket that claimed the payment; kept after the decision. */
  readonly basketId?: string;
  /** Signing baskets that can no longer claim the payment: each released it or ended before claiming it. */
  readonly formerBasketIds?: readonly string[];
  /** The Idempotency-Key of the DELETE that cancelled the payment; a retry with the same key gets 204 again. */
  readonly cancelledWithKey?: string;
  /** What is known about the payees, from before the first signer saw the review page. */
  readonly payeesVerified?: PayeesVerified;
  /** The signer who stopped the periodic order. */
  readonly stoppedBy?: string;
}

/** The state of a single payment, folded from its events. */
export interface SinglePayment extends InitiationState {
  /** Always absent for a single payment. */
  readonly service?: undefined;
  readonly order: PaymentOrder;
  readonly requestedExecutionDate?: string;
  readonly holdId?: string;
  readonly transactionId?: string;
  readonly bookAt?: string;
  readonly entryBooked: boolean;
  /** Present for an instant payment whose amount is or was held. */
  readonly instant?: InstantState;
  /** Why an instant payment was rejected. */
  readonly reasonCode?: ReasonCode;
}

/** A future occurrence of a periodic order. */
export interface PlannedOccurrence {
  /** 1-based. */
  readonly number: number;
  /** ISO date. */
  readonly executionDate: string;
  /** ISO instant. */
  readonly dueAt: string;
}

/** The state of a periodic order, folded from its events: its next, current and last occurrence. */
export interface PeriodicOrder extends InitiationState {
  readonly service: 'periodic-payments';
  /** The order that each occurrence executes. */
  readonly order: PaymentOrder;
  readonly schedule: PeriodicSchedule;
  /** The next occurrence. Absent before the signature, and if the current occurrence is the last one. */
  readonly planned?: PlannedOccurrence;
  /** The occurrence whose funds are held but have not yet been posted. */
  readonly started?: PlannedOccurrence & { readonly holdId: string };
  /** The latest occurrence that was posted or skipped; so were all earlier ones. */
  readonly ended?: { readonly number: number; readonly fundsAvailable: boolean };
}

/** The answer to an instant payment whose amount is or was held. */
export interface InstantState {
  /** Real time (ISO instant) until which the answer is awaited. */
  readonly answerBy: string;
  /** The first answer, or the rejection because there was none in time. */
  readonly answer?: InstantAnswer;
  /** True if the payee's bank confirmed the payment after its rejection was decided. */
  readonly answeredLate?: true;
}

/**
 * An entry of a bulk payment: not yet held (ACCP), held (ACSP), posted (ACSC), unfunded (final ACCP), or a rejected
 * instant payment (RJCT).
 */
export interface BulkEntry {
  readonly transactionStatus: 'ACCP' | 'ACSP' | 'ACSC' | 'RJCT';
  readonly fundsAvailable?: boolean;
  readonly holdId?: string;
  readonly transactionId?: string;
  readonly instant?: InstantState;
  readonly reasonCode?: ReasonCode;
}

/** The state of a bulk payment, folded from its events. */
export interface BulkPayment extends InitiationState {
  readonly service: 'bulk-payments';
  /** The orders of the entries, in the order of the request body. */
  readonly orders: readonly PaymentOrder[];
  readonly batchBookingPreferred: boolean;
  readonly requestedExecutionDate?: string;
  /** In the order of the request body. */
  readonly entries: readonly BulkEntry[];
  /** Why a bulk payment of instant payments was rejected: the reason of its first entry. */
  readonly reasonCode?: ReasonCode;
}

/** The state of a payment initiation, folded from its events. */
export type PaymentState = SinglePayment | PeriodicOrder | BulkPayment;

/** True for a single payment. Only periodic orders and bulk payments have the member `service`. */
export const isSinglePayment = (state: PaymentState): state is SinglePayment => state.service === undefined;

export const getService = ({ service }: { readonly service?: PaymentService }): PaymentService =>
  service ?? 'payments';

/** Why an instant payment was rejected; of a bulk payment the reason of its first entry. */
export const getReasonCode = (state: PaymentState): ReasonCode | undefined =>
  state.service === 'periodic-payments' ? undefined : state.reasonCode;

/** The orders to be paid, one per transaction. A periodic order has a single order, which is paid repeatedly. */
export const listOrders = (state: PaymentState): readonly PaymentOrder[] =>
  state.service === 'bulk-payments' ? state.orders : [state.order];

/**
 * The order of a payment, or the first order of a bulk payment. All orders of a bulk payment have the same debtor
 * account and currency.
 */
export const getFirstOrder = (state: PaymentState): PaymentOrder => {
  const [first] = listOrders(state);
  if (first === undefined) throw new Error('A bulk payment must have entries.');
  return first;
};
