import type { AccountAccess, GrantedAccount } from '@xs2a/domain/consent/consent-events';
import type { ConsentStatus } from '@xs2a/domain/consent/consent-state';
import type { NotificationRegistration } from '@xs2a/domain/notification/notification-content';
import type { RedirectUris } from '@xs2a/domain/payment/payment-events';
import type { Authorisation } from '@xs2a/domain/sca/authorisations';
import { authorisationCalls, type AuthorisationStarted } from './authorisations.contract.js';
import { type IdempotencyKey, call, whenKeyed } from './call.js';

/** Identifies a TPP's consent. Another TPP's consent fails with consentUnknown. */
export interface ConsentRef {
  readonly tppId: string;
  readonly consentId: string;
}

export interface CreateConsent {
  readonly tppId: string;
  readonly body: unknown;
  readonly idempotencyKey: IdempotencyKey;
  readonly psuId?: string;
  readonly psuCorporateId?: string;
  readonly redirectUris: RedirectUris;
  /** The address to which status changes are pushed. */
  readonly notification?: NotificationRegistration;
}
export const createConsent = call<
  CreateConsent,
  {
    readonly consentId: string;
    /** Absent if several signers are required, because their authorisations are started separately. */
    readonly authorisationId?: string;
  }
>('svc.consents.create', whenKeyed);
/**
 * Checks POST /consents without its body: fails as {@link createConsent} would in the stages before the body
 * (contract 3). Called instead of it if the gateway could not read the body.
 */
export const checkBeforeBody = call<
  Pick<CreateConsent, 'tppId' | 'idempotencyKey' | 'psuId' | 'psuCorporateId'>,
  Record<string, never>
>('svc.consents.check-before-body', 'idempotent');

export interface ConsentView {
  /** The requested access. If the PSU chooses the accounts, the chosen ones. */
  readonly access: AccountAccess;
  readonly recurringIndicator: boolean;
  readonly validUntil: string;
  readonly frequencyPerDay: number;
  readonly combinedServiceIndicator: boolean;
  readonly lastActionDate: string;
  readonly consentStatus: ConsentStatus;
}
/**
 * Returns the TPP's own consents requested before `before`, newest first, at most `limit`. `next` is present if
 * there are more.
 */
export const listConsents = call<
  { readonly tppId: string; readonly before?: string; readonly limit: number },
  {
    readonly consents: readonly (ConsentView & { readonly consentId: string })[];
    readonly next?: string;
  }
>('svc.consents.list', 'idempotent');
export const readConsent = call<ConsentRef, ConsentView>('svc.consents.read', 'idempotent');
export const readConsentStatus = call<ConsentRef, { readonly consentStatus: ConsentStatus }>(
  'svc.consents.read-status',
  'idempotent',
);
/** DELETE: rejects a consent before authorisation, or terminates it afterwards; a repeat changes nothing. */
export const terminateConsent = call<ConsentRef, Record<string, never>>(
  'svc.consents.terminate',
  'idempotent',
);

/** A consent, with the details needed by the SCA pages and the authorization server. */
export interface ConsentAuthorisation {
  readonly consentId: string;
  readonly authorisations: readonly Authorisation[];
  readonly tppId: string;
  readonly consentStatus: ConsentStatus;
  /** Ids of the PSUs who have authorised the consent. */
  readonly signedBy: readonly string[];
  readonly signaturesRequired: number;
  readonly signaturesMissing: number;
  /** The accounts granted by the first of several signers. The other signers agree to exactly these accounts. */
  readonly agreedIbans?: readonly string[];
  readonly access: AccountAccess;
  readonly psuPicksAccounts: boolean;
  readonly recurringIndicator: boolean;
  readonly validUntil: string;
  readonly frequencyPerDay: number;
  readonly redirectUris: RedirectUris;
  readonly expiresAt: string;
  /** True if the consent is in a signing basket and cannot be authorised separately. */
  readonly isGrouped: boolean;
}
export interface ConsentAuthorisationRef {
  readonly consentId: string;
  readonly authorisationId: string;
}
export const consentAuthorisation = authorisationCalls<
  ConsentRef,
  ConsentAuthorisationRef,
  ConsentAuthorisation,
  ConsentStatus
>('svc.consents.authorisation');
/** Finds the consent for the TPP that passes it to /oauth2/authorize. */
export const readConsentForAuthorization = call<ConsentRef, ConsentAuthorisation>(
  'svc.consents.authorisation.read-for-tpp',
  'idempotent',
);
/** For a PSU who arrives from the authorization server. Returns the PSU's open authorisation or starts a new one. */
export const beginConsentAuthorisation = call<ConsentRef & { readonly psuId: string }, AuthorisationStarted>(
  'svc.consents.authorisation.begin',
  'idempotent',
);
export interface PsuConsent {
  readonly consentId: string;
  readonly tppId: string;
  readonly consentStatus: ConsentStatus;
  readonly validUntil: string;
  readonly accounts: readonly GrantedAccount[];
  readonly lastUsedAt?: string;
  /** The last answered accesses, newest first, at most five. */
  readonly recentUses: readonly string[];
}
/** Returns the PSU's consents that have been authorised at some time, newest first, at most 100. */
export const listPsuConsents = call<{ readonly psuId: string }, { readonly consents: readonly PsuConsent[] }>(
  'svc.consents.list-of-psu',
  'idempotent',
);
/** Withdraws a consent at the PSU's request. Another PSU's consent fails with consentUnknown. */
export const revokeConsent = call<
  { readonly psuId: string; readonly consentId: string },
  Record<string, never>
>('svc.consents.revoke', 'idempotent');

/** AIS endpoints, as named in the counters. */
export type AisEndpoint = 'accounts' | 'account' | 'balances' | 'transactions';
export interface CountAccess {
  readonly tppId: string;
  readonly consentId: string;
  readonly endpoint: AisEndpoint;
  /** The account in the path. Absent for the account list. */
  readonly resourceId?: string;
  /** True if PSU-IP-Address was sent, in which case the call is not counted. */
  readonly psuPresent: boolean;
  /**
   * Present if the call is a report. It then contains the entries booked until this instant, by the clock of the
   * service that reads the ledger, and the next delta starts here.
   * @format date-time
   */
  readonly reportsAt?: string;
  /** The caller's id for the call. A repeat with the same id is not counted again. @format uuid */
  readonly callId: string;
}
/** False for a report, because only the first of two identical calls returns the time of the previous report. */
const mayBeCountedTwice = ({ reportsAt }: CountAccess): boolean => reportsAt === undefined;
export interface AccessCounted {
  /** The number of unattended calls left in the window, if the call was counted. */
  readonly remaining?: number;
  readonly accounts: readonly GrantedAccount[];
  /** Identifies the counted call or the report for {@link releaseAccess}. Opaque. */
  readonly claimId?: string;
  /** For a report: the time of the previous report, if any. @format date-time */
  readonly lastReportAt?: string;
}
/**
 * Validates the consent, the access type and the account, and counts the call, all in one transaction. The NATS
 * subject calls this a claim.
 */
export const countAccess = call<CountAccess, AccessCounted>('svc.consents.access.claim', mayBeCountedTwice);
export type CheckAccess = Pick<CountAccess, 'tppId' | 'consentId' | 'endpoint' | 'resourceId'>;
/** Makes the same checks as for a counted call, but changes nothing. */
export const checkAccess = call<CheckAccess, Record<string, never>>(
  'svc.consents.access.check',
  'idempotent',
);
/**
 * Releases a call whose response was not 2xx, so that it no longer counts. `callId` is the id of the counted call,
 * which may have been counted earlier.
 */
export const releaseAccess = call<
  { readonly claimId: string; readonly callId: string },
  Record<string, never>
>('svc.consents.access.release', 'idempotent');
/**
 * Sandbox only: ends a consent as if its time were over: an unauthorised one is rejected, a valid one expires.
 * Fails with statusForbidsExpiry. A consent in a basket is unchanged, and the answer names the
 * basket, which expires instead.
 */
export const expireConsent = call<ConsentRef, { readonly basketId?: string }>(
  'svc.consents.sandbox.expire',
  'not-idempotent',
);
/** Expires or rejects the consents that are due, and returns the number expired. */
export const expireDueConsents = call<Record<string, never>, { readonly expired: number }>(
  'svc.consents.expire-due',
  'idempotent',
  5000,
);

/** A consent in the list of the operators' console. */
export interface ListedConsent {
  readonly consentId: string;
  readonly tppId: string;
  readonly status: ConsentStatus;
  readonly recurring: boolean;
  /** When data was last read under it; absent if never. @format date-time */
  readonly lastUsedAt?: string;
}
/** Lists consents, newest first, up to the limit (0 to 500): of a TPP if it is given, older than `before` if it is given. */
export const listConsentsOfBank = call<
  { readonly tppId?: string; readonly before?: string; readonly limit: number },
  { readonly consents: readonly ListedConsent[] }
>('svc.consents.console.list', 'idempotent');

/**
 * The bank ends a consent: a valid one expires, and one that still awaits a signature is rejected. `ended` is false, and nothing
 * changes, if it had ended before. Fails with consentUnknown, and with resourceBlocked in an undecided basket. Only for the
 * operator and the console.
 */
export const endConsentByBank = call<
  { readonly consentId: string },
  { readonly consentStatus: ConsentStatus; readonly ended: boolean }
>('svc.consents.operator.end', 'not-idempotent', 5000);
