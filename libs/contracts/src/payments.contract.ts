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

/** Which payment a TPP asks for; a payment of another TPP does not exist for it (resourceUnknown). */
export interface PaymentRef {
  readonly tppId: string;
  /** The service in the path; one that was created under another is refused with serviceWrong. */
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
  /** The address to which its changes are pushed. */
  readonly notification?: NotificationRegistration;
}
export interface PaymentInitiated {
  readonly paymentId: string;
  /** Absent where several persons have to sign: each authorisation is started by itself. */
  readonly authorisationId?: string;
  readonly product: PaymentProduct;
  /** The fee and the total debit, in the currency of the debtor account; absent when the bank has no tariff. */
  readonly price?: { readonly fee: MinorAmount; readonly total: MinorAmount };
}
/** Validates, decides, appends; the same idempotency key gets the same answer again. */
export const initiatePayment = call<InitiatePayment, PaymentInitiated>('svc.payments.initiate', whenKeyed);

export interface PaymentView {
  readonly body: Readonly<Record<string, unknown>>;
  readonly transactionStatus: PaymentStatus;
  readonly fundsAvailable?: boolean;
  readonly paymentType: PaymentType;
  /** Why it was rejected, for the TPP's `tppMessages`. */
  readonly rejectionReason?: RejectionReason;
  /** A periodic order's latest 100 occurrences that ran or were skipped, newest last, and the next one. */
  readonly occurrences?: readonly OccurrenceView[];
  /** A bulk payment's entries and what became of each, in the order of the body. */
  readonly entries?: readonly EntryView[];
}
export interface OccurrenceView {
  readonly transactionId: string;
  /** The planned day, as the execution rule moves it. @format date */
  readonly executionDate: string;
  /** ACTC until the order has ended; then ACSC for one that was paid, else CANC. */
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
  /** The address to which changes of the resource are pushed from now on; absent: it stays as it was. */
  readonly notification?: NotificationRegistration;
}
export interface AuthorisationStarted {
  readonly authorisationId: string;
}
/** A further person is to sign; the same idempotency key gets the same answer again. */
export const startPaymentAuthorisation = call<PaymentRef & StartAuthorisation, AuthorisationStarted>(
  'svc.payments.start-authorisation',
  whenKeyed,
);
export const cancelPayment = call<PaymentRef & { readonly idempotencyKey?: string }, Record<string, never>>(
  'svc.payments.cancel',
  ({ idempotencyKey }) => idempotencyKey !== undefined,
);

/** A payment and its authorisation as the SCA pages need them: what they show, and what they check. */
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
  /** The orders to be paid: one, or for a bulk payment one for each entry. */
  readonly orders: readonly PaymentOrder[];
  readonly body: Readonly<Record<string, unknown>>;
  readonly requestedExecutionDate?: string;
  /** A periodic order's schedule. */
  readonly schedule?: PeriodicSchedule;
  readonly redirectUris: RedirectUris;
  readonly expiresAt: string;
  /** Number of persons who still have to sign. */
  readonly signaturesMissing: number;
  /** Ids of the PSUs who have signed. */
  readonly signedBy: readonly string[];
  /** Somebody was accepted for it, so refusing it needs a sign-in. */
  readonly isTaken: boolean;
  /** It is in a signing basket, and cannot be signed alone. */
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
/** The PSU is identified and may sign, or it rejects (not the owner, not the PSU named, account unusable). */
export const acceptPayment = call<
  PaymentAuthorisationRef & { readonly psuId: string },
  { readonly scaStatus: ScaStatus; readonly rejectionReason?: RejectionReason }
>('svc.payments.authorisation.accept', 'not-idempotent');
/** The PSU signed. Exactly one of several calls succeeds; the others get statusForbidsAuthorisation. */
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
  /** The amount; a bulk payment has the sum of its entries here. */
  readonly amount: MinorAmount;
  /** The creditor's name; a bulk payment has that of its first entry here. */
  readonly creditorName: string;
  readonly creditorAccount: string;
  /** Number of a bulk payment's entries; else 1. */
  readonly numberOfPayments: number;
  /** A periodic order's schedule. */
  readonly schedule?: PeriodicSchedule;
  /** The day of a periodic order's next occurrence, when it is planned. @format date */
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
 * Names a transaction. `paymentId` is the id under which it is booked. A single payment uses its own id; an occurrence of a periodic
 * payment or an entry of a bulk payment uses an id that is derived (`deriveBookingId`) from `partOf`, the parent's id and the number in it.
 */
export type TransactionRef = Pick<DuePayment, 'paymentId' | 'partOf'>;

/** A place in the order in which payments are due: by time, then by the id of the payment, order or bulk. */
export interface DuePlace {
  /** An instant as PostgreSQL reads it. */
  readonly dueAt: string;
  readonly paymentId: string;
}
/** Lanes of due payments: those from one debtor account are in one lane. */
export interface LanesAhead {
  /** Behind this one; absent: from the first on. */
  readonly after?: number;
  /** Not these. */
  readonly except: readonly number[];
}
/**
 * Reads up to `limit` payments (1,000 at most) that are due by the payments service's clock, in order, behind
 * `after`. With `ahead` a page that is fair between debtor accounts instead: of each lane the oldest.
 */
export const readDuePayments = call<
  { readonly after?: DuePlace; readonly limit: number; readonly ahead?: LanesAhead },
  {
    /** The time by which they are due, ISO instant. */
    readonly now: string;
    readonly payments: readonly DuePayment[];
    /** The lanes that the payments are in. */
    readonly lanes?: readonly number[];
    /** Of a page `ahead`: the lane to give as `after` for the next one; absent after the last lane. */
    readonly nextLane?: number;
    /** The place to give as `after` for the next page; absent after the last page. */
    readonly next?: DuePlace;
  }
>('svc.payments.settlement.due', 'idempotent', 5000);

/** One step of the settlement saga to be recorded in a payment's stream. */
export type SettlementRecord = TransactionRef & SettlementStep;
export interface SettlementRecorded {
  readonly paymentId: string;
  /** False: the stream forbids the step (a cancellation came first); the worker releases the hold. */
  readonly recorded: boolean;
  /** The transaction has come to its end, with money or without: a hold that is not posted can be released. */
  readonly ended: boolean;
}
/** The progress of transactions whose settlement was begun and not brought to its end; unknown ids are left out. */
export const readSettlementStates = call<
  { readonly payments: readonly TransactionRef[] },
  {
    readonly payments: readonly {
      readonly paymentId: string;
      /** The same as in {@link SettlementRecorded}. */
      readonly ended: boolean;
      /** {@link readDuePayments} answers it as well: there is something to do with it now. */
      readonly due: boolean;
    }[];
  }
>('svc.payments.settlement.read', 'idempotent', 5000);
/**
 * Records up to 100 settlement steps. Each succeeds or fails by itself; a step that was recorded already changes
 * nothing.
 */
export const recordSettlement = call<
  { readonly records: readonly SettlementRecord[] },
  { readonly results: readonly SettlementRecorded[] }
>('svc.payments.settlement.record', 'idempotent', 5000);

/** Rejects what was not signed in time, now; answers how many. */
export const expireDuePayments = call<Record<string, never>, { readonly expired: number }>(
  'svc.payments.expire-due',
  'idempotent',
  5000,
);
/** Sandbox: cancels what can be cancelled and hides the TPP's payments from its view. */
export const clearPayments = call<{ readonly tppId: string }, Record<string, never>>(
  'svc.payments.clear',
  'idempotent',
  10_000,
);
