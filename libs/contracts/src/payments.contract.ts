import type { NotificationRegistration } from '@xs2a/domain/notification/notification-content';
import type { ReasonCode } from '@xs2a/domain/payment/instant/instant-answer';
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
import { authorisationCalls, type LinkedAuthorisation } from './authorisations.contract.js';
import { type IdempotencyKey, call, whenKeyed } from './call.js';
import type { PayeeChecked, PayeesListed, PayeesShown } from './payees/payees.contract.js';

/** Identifies a TPP's payment. Another TPP's payment fails with resourceUnknown. */
export interface PaymentRef {
  readonly tppId: string;
  /** The payment service in the path. If the payment belongs to a different one, the call fails with serviceWrong. */
  readonly service: PaymentService;
  readonly product: PaymentProduct;
  /** The product that the name in the path meant in the previous standard: its payments are found too. */
  readonly formerProduct?: PaymentProduct;
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
  /** The address to which status changes are pushed. */
  readonly notification?: NotificationRegistration;
}
export interface PaymentInitiated {
  readonly paymentId: string;
  /** Absent if several signers are required, because their authorisations are started separately. */
  readonly authorisationId?: string;
  readonly product: PaymentProduct;
  /** The fee and the total debit, in the currency of the debtor account. Absent if the bank has no tariff. */
  readonly price?: { readonly fee: MinorAmount; readonly total: MinorAmount };
}
/**
 * Validates the request, decides on it and appends the events. A repeat with the same idempotency key returns the
 * same result.
 */
export const initiatePayment = call<InitiatePayment, PaymentInitiated>('svc.payments.initiate', whenKeyed);
type BeforeBody = Pick<InitiatePayment, 'tppId' | 'idempotencyKey' | 'psuCorporateId'>;
/**
 * Checks the POST of a payment or of a basket (which has no product) if its body could not be read: fails as the
 * creating call would in the stages before the body (contract 3).
 */
export const checkBeforeBody = call<BeforeBody & Partial<Pick<PaymentRef, 'product'>>, Record<string, never>>(
  'svc.payments.check-before-body',
  'idempotent',
);

export interface PaymentView extends EntryView {
  readonly body: Readonly<Record<string, unknown>>;
  readonly paymentType: PaymentType;
  /** The reason for the rejection, for the TPP's `tppMessages`. */
  readonly rejectionReason?: RejectionReason;
  /** The latest 100 executed or skipped occurrences of a periodic order, newest last, followed by the upcoming one. */
  readonly occurrences?: readonly OccurrenceView[];
  /** The entries of a bulk payment and their statuses, in the order of the body. */
  readonly entries?: readonly EntryView[];
}
export interface OccurrenceView {
  readonly transactionId: string;
  /** The planned day, adjusted by the execution rule. @format date */
  readonly executionDate: string;
  /**
   * ACTC until the periodic order has ended. Then ACSC if the occurrence was paid, ACTC if its amount is only
   * held, otherwise CANC.
   */
  readonly transactionStatus: 'ACTC' | 'ACSC' | 'CANC';
  readonly fundsAvailable?: boolean;
}
export interface EntryView extends PayeeChecked {
  readonly transactionStatus: PaymentStatus;
  readonly fundsAvailable?: boolean;
  /** The ISO 20022 code of the reason why an instant payment was rejected. */
  readonly reasonCode?: ReasonCode;
  /** The amount in euro, of a bulk payment the total, if the switch-over converted it. */
  readonly convertedAmount?: MinorAmount;
}
export const readPayment = call<PaymentRef, PaymentView>('svc.payments.read', 'idempotent');
export const readPaymentStatus = call<PaymentRef, EntryView & Pick<PaymentView, 'rejectionReason'>>(
  'svc.payments.read-status',
  'idempotent',
);
export const cancelPayment = call<PaymentRef & { readonly idempotencyKey?: string }, Record<string, never>>(
  'svc.payments.cancel',
  ({ idempotencyKey }) => idempotencyKey !== undefined,
);

/**
 * A signer stops a periodic order on the PSU's own page (contract 12). Fails with resourceUnknown, also for an order
 * that this PSU has not signed, or cancellationNotPossible.
 */
export const stopOrder = call<{ readonly paymentId: string; readonly psuId: string }, Record<string, never>>(
  'svc.payments.stop',
  'idempotent',
);

/** A payment and its authorisation, with the details that the SCA pages display and validate. */
export interface PaymentAuthorisation extends LinkedAuthorisation, PayeesShown {
  readonly paymentId: string;
  readonly transactionStatus: PaymentStatus;
  readonly service: PaymentService;
  readonly product: PaymentProduct;
  readonly paymentType: PaymentType;
  /** The orders to be paid: a single order, or one for each entry of a bulk payment. */
  readonly orders: readonly PaymentOrder[];
  readonly body: Readonly<Record<string, unknown>>;
  readonly requestedExecutionDate?: string;
  /** The schedule of a periodic order. */
  readonly schedule?: PeriodicSchedule;
  /** True if the payment is in a signing basket and cannot be signed separately. */
  readonly isGrouped: boolean;
  /** The amount in euro, if it is executed after the bank has switched; of a bulk payment the total. */
  readonly amountInEuro?: MinorAmount;
  /** True if one of its signers stopped the periodic order; absent in an answer of an earlier release. */
  readonly isStopped?: boolean;
  /** Why an instant payment was rejected after the signatures. */
  readonly reasonCode?: ReasonCode;
  /**
   * The day on which it is executed, of a periodic order the first one. Absent until all have signed, and in an answer
   * of an earlier release. @format date
   */
  readonly executionDate?: string;
}
export interface PaymentAuthorisationRef {
  readonly paymentId: string;
  readonly authorisationId: string;
}
export const paymentAuthorisation = authorisationCalls<
  PaymentRef,
  PaymentAuthorisationRef,
  PaymentAuthorisation,
  PaymentStatus
>('svc.payments.authorisation');

export interface SignedPayment extends PayeesListed {
  readonly paymentId: string;
  readonly service: PaymentService;
  /** Absent in an answer of an earlier release. */
  readonly product?: PaymentProduct;
  readonly tppId: string;
  /** The amount; for a bulk payment, the sum of its entries. */
  readonly amount: MinorAmount;
  /** The creditor's name; for a bulk payment, the creditor of its first entry. */
  readonly creditorName: string;
  readonly creditorAccount: string;
  readonly debtorIban: string;
  /** The reason for payment; for a bulk payment, absent. */
  readonly remittance?: string;
  /** The number of entries in a bulk payment; otherwise 1. */
  readonly numberOfPayments: number;
  /** The schedule of a periodic order. */
  readonly schedule?: PeriodicSchedule;
  /** The day of a periodic order's next occurrence, once planned. @format date */
  readonly nextExecutionDate?: string;
  readonly signedAt: string;
  /** Absent until all signers have signed. */
  readonly executionDate?: string;
  readonly transactionStatus: PaymentStatus;
  readonly fundsAvailable?: boolean;
  readonly rejectionReason?: RejectionReason;
  /** Why an instant payment was rejected; of a bulk payment the reason of its first entry. */
  readonly reasonCode?: ReasonCode;
  /** `psu`: this PSU stopped the order; `signer`: another signer did. Absent if nobody stopped it. */
  readonly stoppedBy?: 'psu' | 'signer';
  /** True if the PSU can stop the periodic order. */
  readonly canBeStopped: boolean;
}
/**
 * Returns the newest 100 payments that a PSU has signed, and every periodic order that has not ended, newest first, up to
 * 250 at a time. `page` counts from 0; after the first, there are only orders.
 */
export const listSignedPayments = call<
  { readonly psuId: string; readonly page?: number },
  {
    readonly payments: readonly SignedPayment[];
    /** The page that was returned: the last one if there is no such page. Absent: the only one. */
    readonly page?: number;
    /** Absent: 1. */
    readonly pages?: number;
  }
>('svc.payments.list-signed', 'idempotent');

/**
 * Identifies a transaction. `paymentId` is the booking id: a single payment uses its own id, whereas an occurrence
 * of a periodic order or an entry of a bulk payment uses an id derived (`deriveBookingId`) from `partOf`, which
 * contains the id of the order or bulk payment and the number of the occurrence or entry.
 */
export type TransactionRef = Pick<DuePayment, 'paymentId' | 'partOf'>;

/**
 * A position in the order in which payments are due: by time, then by the id of the payment, periodic order or
 * bulk payment.
 */
export interface DuePlace {
  /** An instant in PostgreSQL format. */
  readonly dueAt: string;
  readonly paymentId: string;
}
/** Requests due payments by lane. All payments from one debtor account are in the same lane. */
export interface LanesAhead {
  /** The lane after which to start. If absent, starts with the first lane. */
  readonly after?: number;
  /** Lanes to exclude. */
  readonly except: readonly number[];
}
/**
 * Returns up to `limit` payments (at most 1,000) that are due by the payments service's clock, in order, starting
 * after `after`. With `ahead`, returns the oldest payment in each lane, so that the page is fair to all debtor
 * accounts.
 */
export const readDuePayments = call<
  { readonly after?: DuePlace; readonly limit: number; readonly ahead?: LanesAhead },
  {
    /** The current time by the service's clock, by which the payments are due, as an ISO instant. */
    readonly now: string;
    readonly payments: readonly DuePayment[];
    /** The lanes that the payments are in. */
    readonly lanes?: readonly number[];
    /** With `ahead`, the lane to pass as `after` to get the next page. Absent after the last lane. */
    readonly nextLane?: number;
    /** The position to pass as `after` to get the next page. Absent after the last page. */
    readonly next?: DuePlace;
  }
>('svc.payments.settlement.due', 'idempotent', 5000);

/** A settlement step to be recorded in a payment's stream. */
export type SettlementRecord = TransactionRef & SettlementStep;
export interface SettlementRecorded {
  readonly paymentId: string;
  /**
   * False if the stream does not allow the step, for example after a cancellation. The worker then releases the
   * hold.
   */
  readonly recorded: boolean;
  /** True if the transaction has ended, whether paid or unpaid. A hold that was not posted can then be released. */
  readonly ended: boolean;
}
/** Returns the progress of transactions whose settlement is unfinished. Unknown ids are omitted. */
export const readSettlementStates = call<
  { readonly payments: readonly TransactionRef[] },
  {
    readonly payments: readonly {
      readonly paymentId: string;
      /** As in {@link SettlementRecorded}. */
      readonly ended: boolean;
      /** True if {@link readDuePayments} also returns the transaction, because one of its steps is due now. */
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

/** Rejects the payments that were not signed in time, and returns the number rejected. */
export const expireDuePayments = call<Record<string, never>, { readonly expired: number }>(
  'svc.payments.expire-due',
  'idempotent',
  5000,
);
/** Identifies a payment of the TPP, in any payment service. For another TPP's payment, the call fails with resourceUnknown. */
type OwnPayment = Pick<PaymentRef, 'tppId' | 'paymentId'>;
/**
 * Sandbox only: executes a signed payment, the next occurrence of an order or the open entries of a bulk payment now.
 * Fails with statusForbidsSettlement if there is nothing to execute, and with dependencyDown if it takes too long.
 */
export const settlePayment = call<OwnPayment, Record<string, never>>(
  'svc.payments.sandbox.settle',
  'not-idempotent',
  5000,
);
/**
 * Sandbox only: rejects an unsigned payment as if its time to sign were over. Fails with statusForbidsExpiry. A
 * payment in a basket is unchanged, and the answer names the basket, which expires instead.
 */
export const expirePayment = call<OwnPayment, { readonly basketId?: string }>(
  'svc.payments.sandbox.expire',
  'not-idempotent',
);
/** Sandbox only: cancels the TPP's payments where possible, and hides all of them from the TPP. */
export const clearPayments = call<{ readonly tppId: string }, Record<string, never>>(
  'svc.payments.clear',
  'idempotent',
  10_000,
);

/** Payments that are not finished and that have the same status and state, for the operators' console. */
export interface UnfinishedPayments {
  readonly status: PaymentStatus;
  /** `unsigned`: waits for a signature; `due`: to be settled now; `overdue`: due for more than a minute. */
  readonly state: 'unsigned' | 'due' | 'overdue';
  readonly payments: number;
  /** Seconds for which the oldest one has been due by the bank's clock; negative for an unsigned one with time left. */
  readonly seconds: number;
}
/** A payment, an order or a bulk payment for which the settlement worker must act, now or later. */
export interface QueuedPayment {
  readonly paymentId: string;
  readonly tppId: string;
  readonly service: PaymentService;
  readonly status: PaymentStatus;
  readonly state: 'later' | 'due' | 'overdue';
  /** @format date-time */
  readonly dueAt: string;
  /** Absent in a row that an earlier release wrote. */
  readonly amount?: MinorAmount;
}
export interface SettlementQueue {
  /** The bank's current time. @format date-time */
  readonly at: string;
  readonly unfinished: readonly UnfinishedPayments[];
  /** The number of payments that are due later, up to {@link maxCountedLater}. */
  readonly later: number;
  /** The most urgent ones, by due time. */
  readonly payments: readonly QueuedPayment[];
}
export const maxCountedLater = 10_000;
/** Reads what is unfinished, and the most urgent payments up to the limit (0 to 500). */
export const readSettlementQueue = call<{ readonly limit: number }, SettlementQueue>(
  'svc.payments.console.queue',
  'idempotent',
);

/**
 * Compares a payment's row in the status view with its events, and writes it anew if it differs: settlement finds due payments
 * by that row. It changes no event. Fails with resourceUnknown if there is no such payment. Only for the operator and the
 * console.
 */
export const handToSettlement = call<
  { readonly paymentId: string },
  {
    readonly transactionStatus: PaymentStatus;
    /** True if the row differed from the events. */
    readonly repaired: boolean;
    /** From when on settlement has to process it; absent if it has nothing to do. @format date-time */
    readonly dueAt?: string;
    readonly isDue: boolean;
    /** True if events of the payment were lost, and it waits for an operator to release it. */
    readonly waits: boolean;
  }
>('svc.payments.operator.hand-to-settlement', 'idempotent', 5000);
