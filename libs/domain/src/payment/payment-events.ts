import type { NotificationRegistration } from '../notification/notification-content.js';
import type { PeriodicSchedule } from '../order/periodic-schedule.js';
import type { SignatureEvidence } from '../sca/signature-evidence.js';
import type { PayeesVerified } from '../payee/payees-verified.js';
import type { InstantAnswer, ReasonCode } from './instant/instant-answer.js';
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
  /** The creditor's account as submitted: an IBAN, or another identification if the product allows one. */
  readonly creditorAccount: string;
  readonly creditorName: string;
  readonly remittance: string;
  readonly endToEndId?: string;
  /** The debited amount. Present only if the account has a different currency. */
  readonly debit?: MinorAmount;
  /** The number of units of the account's currency per unit of the amount's currency. Present with `debit`. */
  readonly rate?: string;
  /** The fee that the debtor pays for the transfer, in the account's currency. Absent if the bank has no tariff. */
  readonly fee?: MinorAmount;
}

/** The amounts of an order in euro, which replace all of its amounts in leva (contract E6.3). */
export type ConvertedAmounts = Pick<PaymentOrder, 'amount' | 'debit' | 'rate' | 'fee'>;

/** The redirect addresses for the PSU's browser (spec 3.4). */
export interface RedirectUris {
  readonly ok?: string;
  readonly nok?: string;
}

/** Why an authorisation ended without a signature. Also used as the reason for the rejection of a payment. */
export type RejectionReason =
  | 'psu-refused'
  | 'psu-cancelled'
  | 'sca-failed'
  | 'not-the-named-psu'
  | 'not-the-account-owner'
  | 'debtor-account-unusable'
  | 'not-authorised-in-time'
  | 'lev-ended';

/** Why a due payment could not be executed. */
export type FundsRefusalReason =
  | 'insufficient-funds'
  | 'debtor-account-unusable'
  | 'creditor-account-unusable';

/** Why the amount of a payment could not be held. Only an instant payment has a limit set by the PSU. */
export type HoldRefusalReason = FundsRefusalReason | 'limit-exceeded';

/** The data common to every payment initiation, for all payment services. */
export interface InitiationData {
  /** @format uuid */
  readonly paymentId: string;
  readonly tppId: string;
  readonly product: PaymentProduct;
  readonly paymentType: PaymentType;
  /** The body exactly as submitted, as GET returns it. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The PSU that the TPP named (`PSU-ID`). */
  readonly psuId?: string;
  /** The number of signatures required. */
  readonly signaturesRequired: number;
  /** Set if only one signature is required. With several signers, each authorisation is started separately. */
  readonly authorisationId?: string;
  readonly redirectUris: RedirectUris;
  /** If the payment has not been signed by then, it is rejected. @format date-time */
  readonly expiresAt: string;
  /** The address for pushed status changes. If absent, none are pushed. */
  readonly notification?: NotificationRegistration;
}

/**
 * The events of a payment initiation: a single payment, a periodic order or a bulk payment. Its transactions are
 * the occurrences of a periodic order or the entries of a bulk payment, numbered from 1; a single payment has no
 * numbered transactions. The time of an event is in its metadata; instants in its data are ISO 8601 UTC.
 */
export type PaymentEvent =
  | {
      readonly type: 'initiated';
      readonly data: InitiationData & {
        readonly order: PaymentOrder;
        /** If absent, the payment is executed as soon as it is signed. @format date */
        readonly requestedExecutionDate?: string;
      };
    }
  | {
      readonly type: 'order-initiated';
      readonly data: InitiationData & {
        /** The order that each occurrence executes. It contains no fee, because the fee depends on the day. */
        readonly order: PaymentOrder;
        readonly schedule: PeriodicSchedule;
      };
    }
  | {
      readonly type: 'bulk-initiated';
      readonly data: InitiationData & {
        /** The orders of the entries, in the order of the body. */
        readonly orders: readonly PaymentOrder[];
        /** True if the debtor's history shows a single entry for the whole bulk payment. */
        readonly batchBookingPreferred: boolean;
        /** If absent, the payment is executed as soon as it is signed. @format date */
        readonly requestedExecutionDate?: string;
      };
    }
  | {
      readonly type: 'authorisation-started';
      readonly data: {
        readonly authorisationId: string;
        /** The PSU who has to sign; no other PSU can sign with this authorisation. */
        readonly psuId?: string;
        /** The redirect addresses for this PSU's browser. If absent, those of the payment apply. */
        readonly redirectUris?: RedirectUris;
        /** The new address for pushed status changes. If absent, the address is unchanged. */
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
  | { readonly type: 'payee-verified'; readonly data: PayeesVerified }
  | {
      readonly type: 'partly-signed';
      readonly data: {
        readonly authorisationId: string;
        readonly psuId: string;
        /** @format date-time */
        readonly signedAt: string;
        readonly evidence?: SignatureEvidence;
      };
    }
  | {
      readonly type: 'signed';
      readonly data: {
        readonly authorisationId: string;
        readonly psuId: string;
        /** @format date-time */
        readonly signedAt: string;
        readonly evidence?: SignatureEvidence;
        /**
         * The execution day in the bank's time zone. For a periodic order, this is the day of its first
         * occurrence. @format date
         */
        readonly executionDate: string;
        /** The time from which settlement is due. @format date-time */
        readonly dueAt: string;
        /**
         * Real time until which a single instant payment waits for its answer: nine seconds after the signature, or
         * after the start of its later execution date as the clock was at the signature. @format date-time
         */
        readonly answerBy?: string;
        /** The order to be paid. Absent for a bulk payment, whose orders are only in `bulk-initiated`. */
        readonly order?: PaymentOrder;
      };
    }
  | {
      readonly type: 'brought-forward';
      readonly data: {
        /** The earlier time from which settlement is due. @format date-time */
        readonly dueAt: string;
      };
    }
  | {
      readonly type: 'converted-to-euro';
      readonly data: {
        /** The start of the bank's first day in euro. @format date-time */
        readonly at: string;
        /** The amounts of the order or, for a bulk payment, of each entry in the order of the body. */
        readonly amounts: readonly ConvertedAmounts[];
        /** The new execution day, if the planned one is a closing day of TARGET. @format date */
        readonly executionDate?: string;
        /** The time from which settlement is due on the new day. @format date-time */
        readonly dueAt?: string;
      };
    }
  | { readonly type: 'funds-refused'; readonly data: { readonly reason: FundsRefusalReason } }
  | {
      readonly type: 'settlement-started';
      readonly data: {
        readonly holdId: string;
        readonly transactionId: string;
        /** The time at which the pending entry becomes booked. @format date-time */
        readonly bookAt: string;
        /**
         * Real time until which an instant payment waits for its answer. Its entry is booked when it is settled.
         * @format date-time
         */
        readonly answerBy?: string;
      };
    }
  | { readonly type: 'instant-answered'; readonly data: { readonly answer: InstantAnswer } }
  | { readonly type: 'instant-rejected'; readonly data: { readonly reasonCode: ReasonCode } }
  | {
      readonly type: 'instant-answered-late';
      readonly data: {
        /** The entry of a bulk payment. */
        readonly number?: number;
      };
    }
  | { readonly type: 'settled'; readonly data: { readonly postingId: string } }
  | { readonly type: 'entry-booked'; readonly data: { readonly transactionId: string } }
  | {
      readonly type: 'transaction-planned';
      readonly data: {
        readonly number: number;
        /** The planned day, adjusted by the execution rule. @format date */
        readonly executionDate: string;
        /** The time from which settlement is due. @format date-time */
        readonly dueAt: string;
      };
    }
  | {
      readonly type: 'transaction-started';
      readonly data: {
        readonly number: number;
        readonly holdId: string;
        readonly transactionId: string;
        /** The time at which the pending entry becomes booked. @format date-time */
        readonly bookAt: string;
        /** As in `settlement-started`. @format date-time */
        readonly answerBy?: string;
      };
    }
  | {
      readonly type: 'transaction-answered';
      readonly data: { readonly number: number; readonly answer: InstantAnswer };
    }
  | {
      readonly type: 'transaction-rejected';
      readonly data: { readonly number: number; readonly reasonCode: ReasonCode };
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
        /** The authorisation that caused the rejection. Absent if no single authorisation caused it. */
        readonly authorisationId?: string;
        readonly reason: RejectionReason;
        readonly psuId?: string;
      };
    }
  | {
      readonly type: 'cancelled';
      readonly data: {
        readonly tppId: string;
        readonly idempotencyKey?: string;
        /** The signer who stopped the periodic order; absent if the TPP cancelled. */
        readonly psuId?: string;
      };
    };

export type PaymentEventType = PaymentEvent['type'];
