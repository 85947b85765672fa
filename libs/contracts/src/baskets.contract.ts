import type { BasketStatus } from '@xs2a/domain/basket/basket-transitions';
import type { GroupedApprovalRef, ItemOwner } from '@xs2a/domain/basket/basket-items';
import type { ConsentStatus } from '@xs2a/domain/consent/consent-state';
import type { Failure } from '@xs2a/domain/failure/failures';
import type { NotificationRegistration } from '@xs2a/domain/notification/notification-content';
import type { PayeeCounts } from '@xs2a/domain/payee/payment-payees';
import type { MinorAmount, RedirectUris, RejectionReason } from '@xs2a/domain/payment/payment-events';
import type { PaymentStatus } from '@xs2a/domain/payment/payment-state';
import type { PsuAccount } from './accounts.contract.js';
import { authorisationCalls, type LinkedAuthorisation } from './authorisations.contract.js';
import { type IdempotencyKey, call, whenKeyed } from './call.js';
import type { ConsentAuthorisation } from './consents.contract.js';
import type { PaymentAuthorisation } from './payments.contract.js';

/** Identifies a TPP's signing basket. Another TPP's basket fails with resourceUnknown. */
export interface BasketRef {
  readonly tppId: string;
  readonly basketId: string;
}

export interface CreateBasket {
  readonly tppId: string;
  readonly body: unknown;
  readonly idempotencyKey: IdempotencyKey;
  /**
   * The time at which the gateway received the request, as an ISO instant. If the request is refused, delayed
   * earlier requests with the same key can no longer take effect.
   */
  readonly begunAt: string;
  readonly psuId?: string;
  readonly psuCorporateId?: string;
  readonly redirectUris: RedirectUris;
  /** The address to which status changes are pushed. */
  readonly notification?: NotificationRegistration;
}
export interface BasketCreated {
  readonly basketId: string;
  /** Absent if several signers are required, because their authorisations are started separately. */
  readonly authorisationId?: string;
}
/** Claims either all items or none (contract 10). A repeat with the same idempotency key returns the same result. */
export const createBasket = call<CreateBasket, BasketCreated>('svc.payments.baskets.create', whenKeyed);

/** An item of a basket in its current state. */
export type BasketItemView =
  | {
      readonly paymentId: string;
      readonly transactionStatus: PaymentStatus;
      readonly fundsAvailable?: boolean;
    }
  | { readonly consentId: string; readonly consentStatus: ConsentStatus };
export interface BasketStatusView {
  readonly transactionStatus: BasketStatus;
  /** The reason for the rejection, for the TPP's `tppMessages`. */
  readonly rejectionReason?: RejectionReason;
}
export interface BasketView extends BasketStatusView {
  readonly paymentIds: readonly string[];
  readonly consentIds: readonly string[];
  readonly items: readonly BasketItemView[];
}
export const readBasket = call<BasketRef, BasketView>('svc.payments.baskets.read', 'idempotent');
export const readBasketStatus = call<BasketRef, BasketStatusView>(
  'svc.payments.baskets.read-status',
  'idempotent',
);
/** Deletes a basket before the first signature and releases its items. */
export const cancelBasket = call<BasketRef & { readonly idempotencyKey?: string }, Record<string, never>>(
  'svc.payments.baskets.cancel',
  ({ idempotencyKey }) => idempotencyKey !== undefined,
);
/**
 * Sandbox only: rejects an unsigned basket and its items as if the time to sign were over. Fails with
 * statusForbidsExpiry.
 */
export const expireBasket = call<BasketRef, Record<string, never>>(
  'svc.payments.sandbox.expire-basket',
  'not-idempotent',
);

export interface BasketAuthorisationRef {
  readonly basketId: string;
  readonly authorisationId: string;
}
/** A payment in a basket, as the SCA pages show it. */
export type BasketPayment = Pick<
  PaymentAuthorisation,
  | 'paymentId'
  | 'service'
  | 'product'
  | 'paymentType'
  | 'orders'
  | 'body'
  | 'requestedExecutionDate'
  | 'payeesVerified'
>;
/**
 * The maximum number of payment entries in one response: large enough for one bulk payment, small enough for one
 * message.
 */
export const maxEntriesTogether = 250;

/**
 * The details of a basket's payment that are needed to sign the basket. The payment's entries are read page by
 * page.
 */
export interface BasketPaymentSummary {
  readonly paymentId: string;
  readonly debtorIban: string;
  /** The sum of the payment's entries. */
  readonly amount: MinorAmount;
  /** The number of entries in a bulk payment; otherwise 1. */
  readonly numberOfPayments: number;
  /** The digest of the content to which the code would be bound if this payment were signed separately. */
  readonly digest: string;
}
/** A consent as the SCA pages show it in a basket. */
export type BasketConsent = Pick<
  ConsentAuthorisation,
  'consentId' | 'access' | 'psuPicksAccounts' | 'recurringIndicator' | 'validUntil' | 'frequencyPerDay'
>;
/** A basket and its authorisation, with the details that the SCA pages display and validate. */
export interface BasketAuthorisation extends BasketAuthorisationRef, LinkedAuthorisation {
  readonly transactionStatus: BasketStatus;
  /** The payments, in the order of the basket's body. */
  readonly summaries: readonly BasketPaymentSummary[];
  /**
   * The payments themselves. Absent if they have more than {@link maxEntriesTogether} entries; see
   * {@link readBasketPayments}.
   */
  readonly payments?: readonly BasketPayment[];
  /** True while payees have to be verified before the review page is shown. */
  readonly awaitsPayees?: boolean;
  /** The results about the payees of all payments. */
  readonly payeeCounts?: PayeeCounts;
  readonly consents: readonly BasketConsent[];
  /**
   * The accounts chosen by the first of several signers, if a consent lets the PSU choose. The other signers agree
   * to the same accounts.
   */
  readonly agreedIbans?: readonly string[];
}
export const basketAuthorisation = authorisationCalls<
  BasketRef,
  BasketAuthorisationRef,
  BasketAuthorisation,
  BasketStatus
>('svc.payments.basket-authorisation', 5000);
/**
 * Returns some of a basket's payments, in the order of its body. The caller may request at most
 * {@link maxEntriesTogether} entries at once.
 */
export const readBasketPayments = call<
  BasketAuthorisationRef & { readonly paymentIds: readonly string[] },
  { readonly payments: readonly BasketPayment[] }
>('svc.payments.basket-authorisation.payments', 'idempotent');
/** Consents that are, or will be, in a basket. */
export interface GroupedConsents extends BasketRef {
  readonly consentIds: readonly string[];
}
/** A consent as the payments service needs it. */
export interface ConsentItem extends BasketConsent {
  readonly consentStatus: ConsentStatus;
  readonly isGrouped: boolean;
  /** True if the consent can no longer be added to another basket. */
  readonly isGroupedOut: boolean;
  readonly namedPsuId?: string;
  /** The owners of the consent's accounts, if the consent names accounts and the bank knows their owners. */
  readonly owners: readonly ItemOwner[];
  readonly signaturesRequired: number;
  readonly expiresAt: string;
}
/** Returns a TPP's consents. Those of other TPPs are omitted. */
export const readConsentItems = call<
  { readonly tppId: string; readonly consentIds: readonly string[] },
  { readonly consents: readonly ConsentItem[] }
>('svc.consents.baskets.read', 'idempotent');
/** Returns the status of each consent, by id. */
export const readConsentItemStatuses = call<
  { readonly consentIds: readonly string[] },
  { readonly statuses: readonly { readonly consentId: string; readonly consentStatus: ConsentStatus }[] }
>('svc.consents.baskets.read-statuses', 'idempotent');
/**
 * Claims consents for a basket in id order and stops at the first one that cannot be claimed. The call is never
 * retried on a second instance, because that instance could still claim consents after the first one has replied.
 */
export const groupConsents = call<
  GroupedConsents,
  { readonly refused?: Failure & { readonly consentId: string } }
>('svc.consents.baskets.group', 'not-idempotent');
/** Releases the given consents if they are in the basket. */
export const ungroupConsents = call<GroupedConsents, Record<string, never>>(
  'svc.consents.baskets.ungroup',
  'idempotent',
);
/**
 * Fails with the reason why this PSU cannot authorise one of the consents. Succeeds if the PSU can authorise all
 * of them.
 */
export const checkConsentItems = call<
  GroupedConsents & { readonly authorisationId: string; readonly psuId: string },
  { readonly reason?: RejectionReason }
>('svc.consents.baskets.check', 'idempotent');
/** Returns the PSU's accounts permitted by all of the consents. */
export const listConsentItemAccounts = call<
  GroupedConsents & { readonly psuId: string },
  { readonly accounts: readonly PsuAccount[] }
>('svc.consents.baskets.accounts', 'idempotent');
/**
 * Applies the basket's signatures to its consents: each consent is authorised, or rejected if the PSU no longer
 * holds one of its accounts. A repeat changes nothing.
 */
export const authoriseConsentItems = call<
  GroupedConsents & {
    readonly signatures: readonly GroupedApprovalRef[];
    readonly chosenIbans?: readonly string[];
    /** The time of the last signature. @format date-time */
    readonly signedAt: string;
  },
  Record<string, never>
>('svc.consents.baskets.authorise', 'idempotent');
/** Rejects the consents of a rejected basket. A repeat changes nothing. */
export const rejectConsentItems = call<
  GroupedConsents & { readonly reason: RejectionReason },
  Record<string, never>
>('svc.consents.baskets.reject', 'idempotent');
