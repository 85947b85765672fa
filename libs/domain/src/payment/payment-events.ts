import type { NotificationRegistration } from '../notification/notification-content.js';
import type { PeriodicSchedule } from '../order/periodic-schedule.js';
import type { PaymentProduct, PaymentType } from './payment-products.js';

/** An amount in whole minor units of its currency (1.00 BGN is 100). */
export interface MinorAmount {
  readonly minor: number;
  readonly currency: string;
}

/** The facts about a payment that the ledger and the pages need, derived once from the submitted body. */
export interface PaymentOrder {
  readonly amount: MinorAmount;
  readonly debtorIban: string;
  /** The creditor's account as submitted: an IBAN, or another identification if the product allows it. */
  readonly creditorAccount: string;
  readonly creditorName: string;
  readonly remittance: string;
  readonly endToEndId?: string;
  /** The debited amount, if the account has another currency. */
  readonly debit?: MinorAmount;
  /** Units of the account's currency per unit of the amount's currency; present with `debit`. */
  readonly rate?: string;
  /** The fee that the debtor pays for the transfer, in the account's currency; absent if the bank has no tariff. */
  readonly fee?: MinorAmount;
}

/** The redirect addresses for the PSU's browser (spec 3.4). */
export interface RedirectUris {
  readonly ok?: string;
  readonly nok?: string;
}

/** Why an authorisation ended without a signature; also used as the reason a payment was rejected. */
export type RejectionReason =
  | 'psu-refused'
  | 'psu-cancelled'
  | 'sca-failed'
  | 'not-the-named-psu'
  | 'not-the-account-owner'
  | 'debtor-account-unusable'
  | 'not-authorised-in-time';

/** Why a due payment could not be executed. */
export type FundsRefusalReason =
  | 'insufficient-funds'
  | 'debtor-account-unusable'
  | 'creditor-account-unusable';

/** The data common to every payment initiation, whatever its payment service. */
export interface InitiationData {
  /** @format uuid */
  readonly paymentId: string;
  readonly tppId: string;
  readonly product: PaymentProduct;
  readonly paymentType: PaymentType;
  /** The body exactly as submitted; GET returns it. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The PSU that the TPP named (`PSU-ID`). */
  readonly psuId?: string;
  /** The number of persons who have to sign. */
  readonly signaturesRequired: number;
  /** The authorisation of a single signer. With several signers, each authorisation is started separately. */
  readonly authorisationId?: string;
  readonly redirectUris: RedirectUris;
  /** If the payment is not signed by then, it is rejected. @format date-time */
  readonly expiresAt: string;
  /** The address for pushed status changes. Absent: no push. */
  readonly notification?: NotificationRegistration;
}

/**
 * The events of a payment initiation: a single payment, a periodic order or a bulk payment. Its transactions are the
 * occurrences of a periodic order or the entries of a bulk payment, numbered from 1; a single payment has no numbered transactions.
 * Times are in the event's metadata; instants in the data are ISO 8601 UTC.
 */
export type PaymentEvent =
  | {
      readonly type: 'initiated';
      readonly data: InitiationData & {
        readonly order: PaymentOrder;
        /** Absent: as soon as it is signed. @format date */
        readonly requestedExecutionDate?: string;
      };
    }
  | {
      readonly type: 'order-initiated';
      readonly data: InitiationData & {
        /** The order that each occurrence pays. It contains no fee, which depends on the day. */
        readonly order: PaymentOrder;
        readonly schedule: PeriodicSchedule;
      };
    }
  | {
      readonly type: 'bulk-initiated';
      readonly data: InitiationData & {
        /** The orders of the entries, in the order of the body. */
        readonly orders: readonly PaymentOrder[];
        /** True if the debtor's history shows one entry for the whole bulk. */
        readonly batchBookingPreferred: boolean;
        /** Absent: as soon as it is signed. @format date */
        readonly requestedExecutionDate?: string;
      };
    }
  | {
      readonly type: 'authorisation-started';
      readonly data: {
        readonly authorisationId: string;
        /** The PSU who has to sign; from then on, nobody else can. */
        readonly psuId?: string;
        /** The redirect addresses for this PSU's browser. Absent: those of the payment. */
        readonly redirectUris?: RedirectUris;
        /** The new address for pushed status changes. Absent: unchanged. */
        readonly notification?: NotificationRegistration;
      };
    }
  | {
      readonly type: 'grouped';
      readonly data: {
        /** @format uuid */
        readonly basketId: string;
      };
    }
  | {
      readonly type: 'ungrouped';
      readonly data: {
        /** @format uuid */
        readonly basketId: string;
      };
    }
  | { readonly type: 'accepted'; readonly data: { readonly authorisationId: string; readonly psuId: string } }
  | {
      readonly type: 'signer-identified';
      readonly data: { readonly authorisationId: string; readonly psuId: string };
    }
  | {
      readonly type: 'partly-signed';
      readonly data: {
        readonly authorisationId: string;
        readonly psuId: string;
        /** @format date-time */
        readonly signedAt: string;
      };
    }
  | {
      readonly type: 'signed';
      readonly data: {
        readonly authorisationId: string;
        readonly psuId: string;
        /** @format date-time */
        readonly signedAt: string;
        /** A day in the bank's time zone. For a periodic order, the day of its first occurrence. @format date */
        readonly executionDate: string;
        /** When settlement falls due. @format date-time */
        readonly dueAt: string;
        /** The order to be paid. Absent for a bulk payment, whose orders are only in `bulk-initiated`. */
        readonly order?: PaymentOrder;
      };
    }
  | { readonly type: 'funds-refused'; readonly data: { readonly reason: FundsRefusalReason } }
  | {
      readonly type: 'settlement-started';
      readonly data: {
        readonly holdId: string;
        readonly transactionId: string;
        /** When the pending entry becomes booked. @format date-time */
        readonly bookAt: string;
      };
    }
  | { readonly type: 'settled'; readonly data: { readonly postingId: string } }
  | { readonly type: 'entry-booked'; readonly data: { readonly transactionId: string } }
  | {
      readonly type: 'transaction-planned';
      readonly data: {
        readonly number: number;
        /** The planned day moved by the execution rule. @format date */
        readonly executionDate: string;
        /** When settlement falls due. @format date-time */
        readonly dueAt: string;
      };
    }
  | {
      readonly type: 'transaction-started';
      readonly data: {
        readonly number: number;
        readonly holdId: string;
        readonly transactionId: string;
        /** When the pending entry becomes booked. @format date-time */
        readonly bookAt: string;
      };
    }
  | {
      readonly type: 'transaction-settled';
      readonly data: { readonly number: number; readonly postingId: string };
    }
  | {
      readonly type: 'transaction-refused';
      readonly data: { readonly number: number; readonly reason: FundsRefusalReason };
    }
  | { readonly type: 'completed'; readonly data: Readonly<Record<string, never>> }
  | { readonly type: 'partly-completed'; readonly data: Readonly<Record<string, never>> }
  | {
      readonly type: 'rejected';
      readonly data: {
        /** Absent if no single authorisation was the cause. */
        readonly authorisationId?: string;
        readonly reason: RejectionReason;
        readonly psuId?: string;
      };
    }
  | {
      readonly type: 'cancelled';
      readonly data: { readonly tppId: string; readonly idempotencyKey?: string };
    };

export type PaymentEventType = PaymentEvent['type'];
