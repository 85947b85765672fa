import type { BasketStatus } from '@xs2a/domain/basket/basket-transitions';
import type { GroupedApprovalRef, ItemOwner } from '@xs2a/domain/basket/basket-items';
import type { ConsentStatus } from '@xs2a/domain/consent/consent-state';
import type { Failure } from '@xs2a/domain/failure/failures';
import type { NotificationRegistration } from '@xs2a/domain/notification/notification-content';
import type { MinorAmount, RedirectUris, RejectionReason } from '@xs2a/domain/payment/payment-events';
import type { PaymentStatus } from '@xs2a/domain/payment/payment-state';
import type { ScaStatus } from '@xs2a/domain/sca/authorisations';
import type { PsuAccount } from './accounts.contract.js';
import { type IdempotencyKey, call, whenKeyed } from './call.js';
import type { ConsentAuthorisation } from './consents.contract.js';
import type { AuthorisationStarted, PaymentAuthorisation, StartAuthorisation } from './payments.contract.js';

/** Identifies a signing basket of a TPP; another TPP's basket gives resourceUnknown. */
export interface BasketRef {
  readonly tppId: string;
  readonly basketId: string;
}

export interface CreateBasket {
  readonly tppId: string;
  readonly body: unknown;
  readonly idempotencyKey: IdempotencyKey;
  /** The ISO instant at which the gateway received the request: a refusal ends earlier requests with the same key. */
  readonly begunAt: string;
  readonly psuId?: string;
  readonly psuCorporateId?: string;
  readonly redirectUris: RedirectUris;
  /** The address for pushed status changes. */
  readonly notification?: NotificationRegistration;
}
export interface BasketCreated {
  readonly basketId: string;
  /** Absent with several signers: each authorisation is started separately. */
  readonly authorisationId?: string;
}
/** Takes every item or none (contract 10); the same idempotency key gets the same result again. */
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
  /** Why it was rejected, for the TPP's `tppMessages`. */
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
/** In the order in which they were started. */
export const readBasketAuthorisations = call<
  BasketRef,
  { readonly authorisations: readonly { readonly authorisationId: string; readonly scaStatus: ScaStatus }[] }
>('svc.payments.baskets.read-authorisations', 'idempotent');
/** Starts an authorisation for another person; the same idempotency key gets the same result again. */
export const startBasketAuthorisation = call<BasketRef & StartAuthorisation, AuthorisationStarted>(
  'svc.payments.baskets.start-authorisation',
  whenKeyed,
);
/** Deletes a basket before the first signature and releases its items. */
export const cancelBasket = call<BasketRef & { readonly idempotencyKey?: string }, Record<string, never>>(
  'svc.payments.baskets.cancel',
  ({ idempotencyKey }) => idempotencyKey !== undefined,
);

export interface BasketAuthorisationRef {
  readonly basketId: string;
  readonly authorisationId: string;
}
/** A payment as the SCA pages show it in a basket. */
export type BasketPayment = Pick<
  PaymentAuthorisation,
  'paymentId' | 'service' | 'product' | 'paymentType' | 'orders' | 'body' | 'requestedExecutionDate'
>;
/** Max number of payment entries in one response: those of one bulk payment, which fit into one message. */
export const maxEntriesTogether = 250;

/** The part of a basket's payment that is needed to sign the basket; its entries are read page by page. */
export interface BasketPaymentSummary {
  readonly paymentId: string;
  readonly debtorIban: string;
  /** The sum of its entries. */
  readonly amount: MinorAmount;
  /** Number of entries of a bulk payment; otherwise 1. */
  readonly numberOfPayments: number;
  /** Digest of the content that the payment's own code would be bound to. */
  readonly digest: string;
}
/** A consent as the SCA pages show it in a basket. */
export type BasketConsent = Pick<
  ConsentAuthorisation,
  'consentId' | 'access' | 'psuPicksAccounts' | 'recurringIndicator' | 'validUntil' | 'frequencyPerDay'
>;
/** A basket and its authorisation as the SCA pages need them, for display and for checks. */
export interface BasketAuthorisation extends BasketAuthorisationRef {
  readonly tppId: string;
  readonly scaStatus: ScaStatus;
  readonly transactionStatus: BasketStatus;
  readonly namedPsuId?: string;
  readonly psuId?: string;
  /** Its payments, in the order of its body. */
  readonly summaries: readonly BasketPaymentSummary[];
  /** The payments themselves; absent when they have more than {@link maxEntriesTogether} entries ({@link readBasketPayments}). */
  readonly payments?: readonly BasketPayment[];
  readonly consents: readonly BasketConsent[];
  /** The accounts that the first of several signers chose, where consents leave the choice to the PSU; other signers agree to them. */
  readonly agreedIbans?: readonly string[];
  readonly redirectUris: RedirectUris;
  readonly expiresAt: string;
  /** Number of persons who still have to sign. */
  readonly signaturesMissing: number;
  /** Ids of the PSUs who have signed. */
  readonly signedBy: readonly string[];
  /** True if a person was accepted for it: a refusal then requires a sign-in. */
  readonly isTaken: boolean;
}
export const readBasketAuthorisation = call<BasketAuthorisationRef, BasketAuthorisation>(
  'svc.payments.basket-authorisation.read',
  'idempotent',
);
/** Some payments of a basket, in the order of its body; the caller requests at most {@link maxEntriesTogether} entries at once. */
export const readBasketPayments = call<
  BasketAuthorisationRef & { readonly paymentIds: readonly string[] },
  { readonly payments: readonly BasketPayment[] }
>('svc.payments.basket-authorisation.payments', 'idempotent');
/** Identifies the PSU, who may then sign every item; otherwise rejects the basket and every item. */
export const acceptBasket = call<
  BasketAuthorisationRef & { readonly psuId: string },
  { readonly scaStatus: ScaStatus; readonly rejectionReason?: RejectionReason }
>('svc.payments.basket-authorisation.accept', 'not-idempotent', 5000);
/** The accounts of a PSU that can be opened by every consent of the basket that leaves the choice to the PSU. */
export const listBasketAccounts = call<
  BasketAuthorisationRef & { readonly psuId: string },
  { readonly accounts: readonly PsuAccount[] }
>('svc.payments.basket-authorisation.accounts', 'idempotent');
/** Signs every item. Exactly one of several calls succeeds; the others fail with statusForbidsAuthorisation. */
export const signBasket = call<
  BasketAuthorisationRef & {
    readonly psuId: string;
    /** Only where consents leave the choice to the PSU. */
    readonly chosenIbans?: readonly string[];
  },
  { readonly transactionStatus: BasketStatus; readonly signaturesMissing: number }
>('svc.payments.basket-authorisation.sign', 'not-idempotent', 5000);
export const rejectBasket = call<
  BasketAuthorisationRef & { readonly psuId?: string; readonly reason: RejectionReason },
  { readonly transactionStatus: BasketStatus }
>('svc.payments.basket-authorisation.reject', 'not-idempotent', 5000);

/** Consents that are in a basket or will be. */
export interface GroupedConsents extends BasketRef {
  readonly consentIds: readonly string[];
}
/** A consent as the payments service needs it. */
export interface ConsentItem extends BasketConsent {
  readonly consentStatus: ConsentStatus;
  readonly isGrouped: boolean;
  /** True if no basket can take it any more. */
  readonly isGroupedOut: boolean;
  readonly namedPsuId?: string;
  /** The owners of its accounts, if the accounts are named and the bank knows the owners. */
  readonly owners: readonly ItemOwner[];
  readonly signaturesRequired: number;
  readonly expiresAt: string;
}
/** Returns consents of a TPP; omits those of other TPPs. */
export const readConsentItems = call<
  { readonly tppId: string; readonly consentIds: readonly string[] },
  { readonly consents: readonly ConsentItem[] }
>('svc.consents.baskets.read', 'idempotent');
/** The status of consents, by their ids. */
export const readConsentItemStatuses = call<
  { readonly consentIds: readonly string[] },
  { readonly statuses: readonly { readonly consentId: string; readonly consentStatus: ConsentStatus }[] }
>('svc.consents.baskets.read-statuses', 'idempotent');
/**
 * Takes consents into a basket in the order of their ids and stops at the first that cannot be taken. Never retried on a second instance,
 * which could still take consents after the first one has replied.
 */
export const groupConsents = call<
  GroupedConsents,
  { readonly refused?: Failure & { readonly consentId: string } }
>('svc.consents.baskets.group', 'not-idempotent');
/** Releases the consents that are in the basket. */
export const ungroupConsents = call<GroupedConsents, Record<string, never>>(
  'svc.consents.baskets.ungroup',
  'idempotent',
);
/** Why this PSU cannot authorise one of the consents; no failure if the PSU can authorise all. */
export const checkConsentItems = call<
  GroupedConsents & { readonly authorisationId: string; readonly psuId: string },
  { readonly reason?: RejectionReason }
>('svc.consents.baskets.check', 'idempotent');
/** The accounts of a PSU that every consent may open. */
export const listConsentItemAccounts = call<
  GroupedConsents & { readonly psuId: string },
  { readonly accounts: readonly PsuAccount[] }
>('svc.consents.baskets.accounts', 'idempotent');
/** Passes on the signatures of the basket: each consent is authorised, or rejected when the PSU no longer holds an account. A repeat changes nothing. */
export const authoriseConsentItems = call<
  GroupedConsents & {
    readonly signatures: readonly GroupedApprovalRef[];
    readonly chosenIbans?: readonly string[];
    /** When the last of them signed. @format date-time */
    readonly signedAt: string;
  },
  Record<string, never>
>('svc.consents.baskets.authorise', 'idempotent');
/** Rejects the consents of a rejected basket. A repeat changes nothing. */
export const rejectConsentItems = call<
  GroupedConsents & { readonly reason: RejectionReason },
  Record<string, never>
>('svc.consents.baskets.reject', 'idempotent');
