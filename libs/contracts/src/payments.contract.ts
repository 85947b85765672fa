import type { NotificationRegistration } from '@xs2a/domain/notification/notification-content';
import type {
  MinorAmount,
  PaymentOrder,
  RedirectUris,
  RejectionReason,
} from '@xs2a/domain/payment/payment-events';
import type { PeriodicSchedule } from '@xs2a/domain/order/periodic-schedule';
import type { PaymentProduct, PaymentType } from '@xs2a/domain/payment/payment-products';
import type { PaymentService } from '@xs2a/domain/payment/payment-services';
import type { PaymentStatus } from '@xs2a/domain/payment/payment-state';
import type { DuePayment } from '@xs2a/domain/payment/settlement/due';
import type { SettlementStep } from '@xs2a/domain/payment/settlement/step';
import type { ScaStatus } from '@xs2a/domain/sca/authorisations';
import { type IdempotencyKey, call, whenKeyed } from './call.js';

/** Identifies a TPP's payment; a payment of another TPP fails with resourceUnknown. */
export interface PaymentRef {
  readonly tppId: string;
  /** The service in the path; a payment of another service fails with serviceWrong. */
  readonly service: PaymentService;
  readonly product: PaymentProduct;
  readonly paymentId: string;
}

export interface InitiatePayment {
  readonly tppId: string;
  readonly service: PaymentService;
  readonly product: PaymentProduct;
  readonly body: unknown;
  readonly idempotencyKey: IdempotencyKey;
  readonly psuId?: string;
  readonly psuCorporateId?: string;
  readonly redirectUris: RedirectUris;
  /** The address for pushed status changes. */
  readonly notification?: NotificationRegistration;
}
export interface PaymentInitiated {
  readonly paymentId: string;
  /** Absent with several signers, whose authorisations are started separately. */
  readonly authorisationId?: string;
  readonly product: PaymentProduct;
  /** The fee and the total debit, in the currency of the debtor account; absent if the bank has no tariff. */
  readonly price?: { readonly fee: MinorAmount; readonly total: MinorAmount };
}
/**
 * Validates the request, decides and appends the events; a repeat with the same idempotency key gets the same
 * result.
 */
export const initiatePayment = call<InitiatePayment, PaymentInitiated>('svc.payments.initiate', whenKeyed);

export interface PaymentView {
  readonly body: Readonly<Record<string, unknown>>;
  readonly transactionStatus: PaymentStatus;
  readonly fundsAvailable?: boolean;
  readonly paymentType: PaymentType;
  /** Why it was rejected, for the TPP's `tppMessages`. */
  readonly rejectionReason?: RejectionReason;
  /** The latest 100 executed or skipped occurrences of a periodic order, newest last, and the next one. */
  readonly occurrences?: readonly OccurrenceView[];
  /** The entries of a bulk payment with their statuses, in the order of the body. */
  readonly entries?: readonly EntryView[];
}
export interface OccurrenceView {
  readonly transactionId: string;
  /** The planned day moved by the execution rule. @format date */
  readonly executionDate: string;
  /** ACTC until the order has ended; then ACSC if paid, otherwise CANC. */
  readonly transactionStatus: 'ACTC' | 'ACSC' | 'CANC';
  readonly fundsAvailable?: boolean;
}
export interface EntryView {
  readonly transactionStatus: PaymentStatus;
  readonly fundsAvailable?: boolean;
}
export const readPayment = call<PaymentRef, PaymentView>('svc.payments.read', 'idempotent');
export const readPaymentStatus = call<
  PaymentRef,
  {
    readonly transactionStatus: PaymentStatus;
    readonly fundsAvailable?: boolean;
    readonly rejectionReason?: RejectionReason;
  }
>('svc.payments.read-status', 'idempotent');
/** The payment's authorisations, in the order in which they were started. */
export const readPaymentAuthorisations = call<
  PaymentRef,
  { readonly authorisations: readonly { readonly authorisationId: string; readonly scaStatus: ScaStatus }[] }
>('svc.payments.read-authorisations', 'idempotent');
/** The parameters of POST …/authorisations (contract 10). */
export interface StartAuthorisation {
  readonly idempotencyKey: IdempotencyKey;
  readonly psuId?: string;
  readonly psuCorporateId?: string;
  readonly redirectUris: RedirectUris;
  /** The new address for pushed changes of the resource; absent: unchanged. */
  readonly notification?: NotificationRegistration;
}
export interface AuthorisationStarted {
  readonly authorisationId: string;
}
/** Starts an authorisation for another person; a repeat with the same idempotency key gets the same result. */
export const startPaymentAuthorisation = call<PaymentRef & StartAuthorisation, AuthorisationStarted>(
  'svc.payments.start-authorisation',
  whenKeyed,
);
export const cancelPayment = call<PaymentRef & { readonly idempotencyKey?: string }, Record<string, never>>(
  'svc.payments.cancel',
  ({ idempotencyKey }) => idempotencyKey !== undefined,
);

/** A payment and its authorisation, as the SCA pages need them for display and validation. */
export interface PaymentAuthorisation {
  readonly paymentId: string;
  readonly authorisationId: string;
  readonly tppId: string;
  readonly scaStatus: ScaStatus;
  readonly transactionStatus: PaymentStatus;
  readonly namedPsuId?: string;
  readonly psuId?: string;
  readonly service: PaymentService;
  readonly product: PaymentProduct;
  readonly paymentType: PaymentType;
  /** The orders to be paid: one, or one per entry of a bulk payment. */
  readonly orders: readonly PaymentOrder[];
  readonly body: Readonly<Record<string, unknown>>;
  readonly requestedExecutionDate?: string;
  /** The schedule of a periodic order. */
  readonly schedule?: PeriodicSchedule;
  readonly redirectUris: RedirectUris;
  readonly expiresAt: string;
  /** The number of persons who still have to sign. */
  readonly signaturesMissing: number;
  /** Ids of the PSUs who have signed. */
  readonly signedBy: readonly string[];
  /** True if a person was accepted for this authorisation; a refusal then requires a sign-in. */
  readonly isTaken: boolean;
  /** True if it is in a signing basket and cannot be signed separately. */
  readonly isGrouped: boolean;
}
export interface PaymentAuthorisationRef {
  readonly paymentId: string;
  readonly authorisationId: string;
}
export const readPaymentAuthorisation = call<PaymentAuthorisationRef, PaymentAuthorisation>(
  'svc.payments.authorisation.read',
  'idempotent',
);
/**
 * Identifies the PSU, who may then sign; otherwise rejects the payment (not the owner, not the named PSU, or an
 * unusable account).
 */
export const acceptPayment = call<
  PaymentAuthorisationRef & { readonly psuId: string },
  { readonly scaStatus: ScaStatus; readonly rejectionReason?: RejectionReason }
>('svc.payments.authorisation.accept', 'not-idempotent');
/** Signs the payment. Exactly one of several calls succeeds; the others fail with statusForbidsAuthorisation. */
export const signPayment = call<
  PaymentAuthorisationRef & { readonly psuId: string },
  { readonly transactionStatus: PaymentStatus; readonly signaturesMissing: number }
>('svc.payments.authorisation.sign', 'not-idempotent');
export const rejectPayment = call<
  PaymentAuthorisationRef & { readonly psuId?: string; readonly reason: RejectionReason },
  { readonly transactionStatus: PaymentStatus }
>('svc.payments.authorisation.reject', 'not-idempotent');

export interface SignedPayment {
  readonly paymentId: string;
  readonly service: PaymentService;
  readonly tppId: string;
  /** The amount; for a bulk payment, the sum of its entries. */
  readonly amount: MinorAmount;
  /** The creditor's name; for a bulk payment, the creditor of its first entry. */
  readonly creditorName: string;
  readonly creditorAccount: string;
  /** The number of entries in a bulk payment; otherwise 1. */
  readonly numberOfPayments: number;
  /** The schedule of a periodic order. */
  readonly schedule?: PeriodicSchedule;
  /** The day of a periodic order's next occurrence, once planned. @format date */
  readonly nextExecutionDate?: string;
  readonly signedAt: string;
  /** Absent until all have signed. */
  readonly executionDate?: string;
  readonly transactionStatus: PaymentStatus;
  readonly fundsAvailable?: boolean;
  readonly rejectionReason?: RejectionReason;
}
/** Payments that a PSU signed, newest first, at most 100. */
export const listSignedPayments = call<
  { readonly psuId: string },
  { readonly payments: readonly SignedPayment[] }
>('svc.payments.list-signed', 'idempotent');

/**
 * Identifies a transaction. `paymentId` is the booking id. A single payment uses its own id; an occurrence of a
 * periodic order or an entry of a bulk payment uses an id derived (`deriveBookingId`) from `partOf`, the id of the
 * order or bulk and the number within it.
 */
export type TransactionRef = Pick<DuePayment, 'paymentId' | 'partOf'>;

/** A position in the order in which payments are due: by time, then by the id of the payment, order or bulk. */
export interface DuePlace {
  /** An instant in PostgreSQL format. */
  readonly dueAt: string;
  readonly paymentId: string;
}
/** Lanes of due payments: all payments from one debtor account are in the same lane. */
export interface LanesAhead {
  /** Starts after this lane. Absent: starts with the first. */
  readonly after?: number;
  /** Lanes to exclude. */
  readonly except: readonly number[];
}
/**
 * Returns up to `limit` (at most 1,000) payments that are due by the payments service's clock, in order, starting
 * after `after`. With `ahead`, returns a page that is fair between debtor accounts: the oldest payment in each
 * lane.
 */
export const readDuePayments = call<
  { readonly after?: DuePlace; readonly limit: number; readonly ahead?: LanesAhead },
  {
    /** The time by which the payments are due, as an ISO instant. */
    readonly now: string;
    readonly payments: readonly DuePayment[];
    /** The lanes that the payments are in. */
    readonly lanes?: readonly number[];
    /** With `ahead`: the lane to pass as `after` for the next page; absent after the last lane. */
    readonly nextLane?: number;
    /** The position to pass as `after` for the next page; absent after the last page. */
    readonly next?: DuePlace;
  }
>('svc.payments.settlement.due', 'idempotent', 5000);

/** One settlement step to be recorded in a payment's stream. */
export type SettlementRecord = TransactionRef & SettlementStep;
export interface SettlementRecorded {
  readonly paymentId: string;
  /**
   * False if the stream does not allow the step, for example after a cancellation; the worker then releases the
   * hold.
   */
  readonly recorded: boolean;
  /** True if the transaction has ended, paid or unpaid; a hold that was not posted can then be released. */
  readonly ended: boolean;
}
/** The progress of transactions with unfinished settlement; unknown ids are omitted. */
export const readSettlementStates = call<
  { readonly payments: readonly TransactionRef[] },
  {
    readonly payments: readonly {
      readonly paymentId: string;
      /** As in {@link SettlementRecorded}. */
      readonly ended: boolean;
      /** True if {@link readDuePayments} also returns it because it has a step that is due now. */
      readonly due: boolean;
    }[];
  }
>('svc.payments.settlement.read', 'idempotent', 5000);
/**
 * Records up to 100 settlement steps. Each succeeds or fails separately; a step that is already recorded changes
 * nothing.
 */
export const recordSettlement = call<
  { readonly records: readonly SettlementRecord[] },
  { readonly results: readonly SettlementRecorded[] }
>('svc.payments.settlement.record', 'idempotent', 5000);

/** Rejects payments that were not signed in time; returns their number. */
export const expireDuePayments = call<Record<string, never>, { readonly expired: number }>(
  'svc.payments.expire-due',
  'idempotent',
  5000,
);
/** Sandbox only: cancels the TPP's payments where possible and hides them from the TPP. */
export const clearPayments = call<{ readonly tppId: string }, Record<string, never>>(
  'svc.payments.clear',
  'idempotent',
  10_000,
);
