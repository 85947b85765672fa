import type {
  MinorAmount,
  PaymentOrder,
  RedirectUris,
  RejectionReason,
} from '@xs2a/domain/payment/payment-events';
import type { FundsRefusalReason } from '@xs2a/domain/payment/payment-events';
import type { PaymentProduct, PaymentType } from '@xs2a/domain/payment/payment-products';
import type { PaymentStatus } from '@xs2a/domain/payment/payment-state';
import type { ScaStatus } from '@xs2a/domain/sca/authorisations';
import { type Attempt, call } from './call.js';
import type { LoggedEvents, LogStretch } from './published-event.js';

/** Which payment a TPP asks for; a payment of another TPP does not exist for it (resourceUnknown). */
export interface PaymentRef {
  readonly tppId: string;
  readonly product: PaymentProduct;
  readonly paymentId: string;
}

export interface InitiatePayment {
  readonly tppId: string;
  readonly product: PaymentProduct;
  readonly body: unknown;
  readonly attempt: Attempt;
  readonly psuId?: string;
  readonly psuCorporateId?: string;
  readonly redirectUris: RedirectUris;
}
export interface PaymentInitiated {
  readonly paymentId: string;
  /** Absent where several persons have to sign: each authorisation is started by itself. */
  readonly authorisationId?: string;
  readonly product: PaymentProduct;
  /** Where the bank has a tariff: the fee, and all that leaves the debtor account, in its currency. */
  readonly price?: { readonly fee: MinorAmount; readonly total: MinorAmount };
}
/** Validates, decides, appends; the same attempt gets the same answer again. */
export const initiatePayment = call<InitiatePayment, PaymentInitiated>('svc.payments.initiate');

export interface PaymentView {
  readonly body: Readonly<Record<string, unknown>>;
  readonly transactionStatus: PaymentStatus;
  readonly fundsAvailable?: boolean;
  readonly paymentType: PaymentType;
  /** Why it was rejected, for the TPP's `tppMessages`. */
  readonly rejectionReason?: RejectionReason;
}
export const readPayment = call<PaymentRef, PaymentView>('svc.payments.read');
export const readPaymentStatus = call<
  PaymentRef,
  {
    readonly transactionStatus: PaymentStatus;
    readonly fundsAvailable?: boolean;
    readonly rejectionReason?: RejectionReason;
  }
>('svc.payments.read-status');
/** The payment's authorisations, in the order in which they were started. */
export const readPaymentAuthorisations = call<
  PaymentRef,
  { readonly authorisations: readonly { readonly authorisationId: string; readonly scaStatus: ScaStatus }[] }
>('svc.payments.read-authorisations');
/** What POST …/authorisations brings (contract 10). */
export interface StartAuthorisation {
  readonly attempt: Attempt;
  readonly psuId?: string;
  readonly psuCorporateId?: string;
  readonly redirectUris: RedirectUris;
}
export interface AuthorisationStarted {
  readonly authorisationId: string;
}
/** A further person is to sign; the same attempt gets the same answer again. */
export const startPaymentAuthorisation = call<PaymentRef & StartAuthorisation, AuthorisationStarted>(
  'svc.payments.start-authorisation',
);
export const cancelPayment = call<PaymentRef & { readonly idempotencyKey?: string }, Record<string, never>>(
  'svc.payments.cancel',
);

/** What the SCA pages show of a payment, and what they must check. */
export interface PaymentAuthorisation {
  readonly paymentId: string;
  readonly authorisationId: string;
  readonly tppId: string;
  readonly scaStatus: ScaStatus;
  readonly transactionStatus: PaymentStatus;
  readonly namedPsuId?: string;
  readonly psuId?: string;
  readonly product: PaymentProduct;
  readonly paymentType: PaymentType;
  readonly order: PaymentOrder;
  readonly body: Readonly<Record<string, unknown>>;
  readonly requestedExecutionDate?: string;
  readonly redirectUris: RedirectUris;
  readonly expiresAt: string;
  /** How many more persons have to sign. */
  readonly signaturesMissing: number;
  /** Who has signed. */
  readonly signedBy: readonly string[];
  /** Somebody was accepted for it, so refusing it needs a sign-in. */
  readonly isTaken: boolean;
}
export interface PaymentAuthorisationRef {
  readonly paymentId: string;
  readonly authorisationId: string;
}
export const readPaymentAuthorisation = call<PaymentAuthorisationRef, PaymentAuthorisation>(
  'svc.payments.authorisation.read',
);
/** The PSU is identified and may sign, or it rejects (not the owner, not the PSU named, account unusable). */
export const acceptPayment = call<
  PaymentAuthorisationRef & { readonly psuId: string },
  { readonly scaStatus: ScaStatus; readonly rejectionReason?: RejectionReason }
>('svc.payments.authorisation.accept');
/** The PSU signed. Exactly one of several calls succeeds; the others get statusForbidsAuthorisation. */
export const signPayment = call<
  PaymentAuthorisationRef & { readonly psuId: string },
  { readonly transactionStatus: PaymentStatus; readonly signaturesMissing: number }
>('svc.payments.authorisation.sign');
export const rejectPayment = call<
  PaymentAuthorisationRef & { readonly psuId?: string; readonly reason: RejectionReason },
  { readonly transactionStatus: PaymentStatus }
>('svc.payments.authorisation.reject');

export interface SignedPayment {
  readonly paymentId: string;
  readonly tppId: string;
  readonly amount: MinorAmount;
  readonly creditorName: string;
  readonly creditorAccount: string;
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
>('svc.payments.list-signed');

/** One step of the settlement saga to be recorded in a payment's stream. */
export type SettlementRecord = { readonly paymentId: string } & (
  | { readonly step: 'settlement-started'; readonly holdId: string; readonly transactionId: string }
  | { readonly step: 'funds-refused'; readonly reason: FundsRefusalReason }
  | { readonly step: 'settled'; readonly postingId: string }
  | { readonly step: 'entry-booked' }
);
export interface SettlementRecorded {
  readonly paymentId: string;
  /** False: the stream forbids the step (a cancellation came first); the worker releases the hold. */
  readonly recorded: boolean;
  readonly transactionStatus?: PaymentStatus;
  /** Present once settlement started. */
  readonly bookAt?: string;
}
/** Where payments stand, asked before their settlement is tried or tried again; unknown ids are left out. */
export const readSettlementStates = call<
  { readonly paymentIds: readonly string[] },
  {
    readonly payments: readonly {
      readonly paymentId: string;
      readonly transactionStatus: PaymentStatus;
      readonly fundsAvailable?: boolean;
      /** Present once settlement started. */
      readonly bookAt?: string;
    }[];
  }
>('svc.payments.settlement.read', 5000);
/** Up to 100 records at once; each stands alone, repeats do nothing. */
export const recordSettlement = call<
  { readonly records: readonly SettlementRecord[] },
  { readonly results: readonly SettlementRecorded[] }
>('svc.payments.settlement.record', 5000);

/** Everything committed before the call has a position up to `pos` and is published when this answers. */
export const paymentsPublished = call<Record<string, never>, { readonly pos: number }>(
  'svc.payments.published',
  5000,
);
/** Events that the stream no longer holds, from PostgreSQL; one answer carries a bounded part of the stretch. */
export const loggedPaymentEvents = call<LogStretch, LoggedEvents>('svc.payments.logged-events', 5000);
/** Rejects what was not signed in time, now; answers how many. */
export const expireDuePayments = call<Record<string, never>, { readonly expired: number }>(
  'svc.payments.expire-due',
  5000,
);
/** Sandbox: cancels what can be cancelled and hides the TPP's payments from its view. */
export const clearPayments = call<{ readonly tppId: string }, Record<string, never>>(
  'svc.payments.clear',
  10_000,
);
