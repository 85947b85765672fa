import type { NotificationRegistration } from '../notification/notification-content.js';
import type { Authorisation } from '../sca/authorisations.js';
import type { MinorAmount, PaymentOrder, RedirectUris, RejectionReason } from './payment-events.js';
import type { PaymentProduct, PaymentType } from './payment-products.js';

/** ISO 20022 payment status codes that a single payment can have (spec 3.1); PATC while one of several signers is missing. */
export type PaymentStatus = 'RCVD' | 'PATC' | 'ACCP' | 'ACSP' | 'ACSC' | 'RJCT' | 'CANC';

/** A payment as its events tell it. */
export interface PaymentState {
  readonly paymentId: string;
  readonly tppId: string;
  readonly product: PaymentProduct;
  readonly paymentType: PaymentType;
  readonly body: Readonly<Record<string, unknown>>;
  readonly order: PaymentOrder;
  readonly requestedExecutionDate?: string;
  readonly namedPsuId?: string;
  readonly redirectUris: RedirectUris;
  /** Where its changes are pushed. */
  readonly notification?: NotificationRegistration;
  readonly expiresAt: string;
  readonly status: PaymentStatus;
  /** How many different persons have to sign. */
  readonly signaturesRequired: number;
  readonly authorisations: readonly Authorisation[];
  readonly signed?: { readonly signedAt: string; readonly executionDate: string; readonly dueAt: string };
  readonly fundsAvailable?: boolean;
  readonly holdId?: string;
  readonly transactionId?: string;
  readonly bookAt?: string;
  readonly entryBooked: boolean;
  readonly rejectionReason?: RejectionReason;
  /** The Idempotency-Key of the DELETE that cancelled it; a retry with it is answered 204 again. */
  readonly cancelledWithKey?: string;
}

export type { MinorAmount };
