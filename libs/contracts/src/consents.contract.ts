import type { AccountAccess, GrantedAccount } from '@xs2a/domain/consent/consent-events';
import type { ConsentStatus } from '@xs2a/domain/consent/consent-state';
import type { NotificationRegistration } from '@xs2a/domain/notification/notification-content';
import type { RedirectUris, RejectionReason } from '@xs2a/domain/payment/payment-events';
import type { Authorisation, ScaStatus } from '@xs2a/domain/sca/authorisations';
import type { PsuAccount } from './accounts.contract.js';
import type { AuthorisationStarted, StartAuthorisation } from './payments.contract.js';
import { type IdempotencyKey, call, whenKeyed } from './call.js';

/** Identifies a TPP's consent; a consent of another TPP fails with consentUnknown. */
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
  /** The address for pushed status changes. */
  readonly notification?: NotificationRegistration;
}
export const createConsent = call<
  CreateConsent,
  {
    readonly consentId: string;
    /** Absent with several signers, whose authorisations are started separately. */
    readonly authorisationId?: string;
  }
>('svc.consents.create', whenKeyed);

export interface ConsentView {
  /** The requested access, or the picked accounts if the PSU picks them. */
  readonly access: AccountAccess;
  readonly recurringIndicator: boolean;
  readonly validUntil: string;
  readonly frequencyPerDay: number;
  readonly combinedServiceIndicator: boolean;
  readonly lastActionDate: string;
  readonly consentStatus: ConsentStatus;
}
/**
 * Returns the TPP's own consents, newest first: at most `limit`, requested before `before`; `next` is present if
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
export const readConsentAuthorisations = call<
  ConsentRef,
  { readonly authorisations: readonly { readonly authorisationId: string; readonly scaStatus: ScaStatus }[] }
>('svc.consents.read-authorisations', 'idempotent');
/**
 * Starts an authorisation for another person (contract 10); a repeat with the same idempotency key gets the same
 * result.
 */
export const startConsentAuthorisation = call<ConsentRef & StartAuthorisation, AuthorisationStarted>(
  'svc.consents.start-authorisation',
  whenKeyed,
);
/** DELETE: rejects a consent before authorisation, or terminates it afterwards; a repeat changes nothing. */
export const terminateConsent = call<ConsentRef, Record<string, never>>(
  'svc.consents.terminate',
  'idempotent',
);

/** A consent, as the SCA pages and the authorization server need it. */
export interface ConsentAuthorisation {
  readonly consentId: string;
  readonly authorisations: readonly Authorisation[];
  readonly tppId: string;
  readonly consentStatus: ConsentStatus;
  /** Ids of the PSUs who have authorised it. */
  readonly signedBy: readonly string[];
  readonly signaturesRequired: number;
  readonly signaturesMissing: number;
  /** The accounts that the first of several signers granted; the other signers agree to exactly these. */
  readonly agreedIbans?: readonly string[];
  readonly access: AccountAccess;
  readonly psuPicksAccounts: boolean;
  readonly recurringIndicator: boolean;
  readonly validUntil: string;
  readonly frequencyPerDay: number;
  readonly redirectUris: RedirectUris;
  readonly expiresAt: string;
  /** True if it is in a signing basket and cannot be authorised separately. */
  readonly isGrouped: boolean;
}
/** Finds the consent by an authorisation, from a link that this service created. */
export const readConsentAuthorisation = call<
  { readonly consentId: string; readonly authorisationId: string },
  ConsentAuthorisation
>('svc.consents.authorisation.read', 'idempotent');
/** Finds the consent for the TPP that passes it to /oauth2/authorize. */
export const readConsentForAuthorization = call<ConsentRef, ConsentAuthorisation>(
  'svc.consents.authorisation.read-for-tpp',
  'idempotent',
);
/** For a PSU who comes from the authorization server: returns the PSU's open authorisation or starts a new one. */
export const beginConsentAuthorisation = call<ConsentRef & { readonly psuId: string }, AuthorisationStarted>(
  'svc.consents.authorisation.begin',
  'idempotent',
);
/** Returns the accounts of a PSU that a consent may open and from which the PSU can pick. */
export const listOpenableAccounts = call<
  { readonly consentId: string; readonly psuId: string },
  { readonly accounts: readonly PsuAccount[] }
>('svc.consents.authorisation.accounts', 'idempotent');
/**
 * Records that the PSU approved with SCA. If an IBAN does not belong to the PSU, the consent is rejected, as the
 * response shows.
 */
export const authoriseConsent = call<
  {
    readonly consentId: string;
    readonly authorisationId: string;
    readonly psuId: string;
    /** Present only if the PSU picks the accounts. */
    readonly chosenIbans?: readonly string[];
  },
  {
    readonly consentStatus: ConsentStatus;
    readonly signaturesMissing: number;
    readonly rejectionReason?: RejectionReason | 'terminated-by-tpp';
  }
>('svc.consents.authorisation.authorise', 'not-idempotent');
export const rejectConsent = call<
  {
    readonly consentId: string;
    readonly authorisationId: string;
    readonly psuId?: string;
    readonly reason: RejectionReason;
  },
  { readonly consentStatus: ConsentStatus }
>('svc.consents.authorisation.reject', 'not-idempotent');

export interface PsuConsent {
  readonly consentId: string;
  readonly tppId: string;
  readonly consentStatus: ConsentStatus;
  readonly validUntil: string;
  readonly accounts: readonly GrantedAccount[];
  readonly lastUsedAt?: string;
}
/** Returns the PSU's consents that were ever authorised, newest first, at most 100. */
export const listPsuConsents = call<{ readonly psuId: string }, { readonly consents: readonly PsuConsent[] }>(
  'svc.consents.list-of-psu',
  'idempotent',
);
/** The PSU withdraws a consent; a consent of another PSU fails with consentUnknown. */
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
  /** The account in the path; absent for the account list. */
  readonly resourceId?: string;
  /** True if PSU-IP-Address was sent; the call is then not counted. */
  readonly psuPresent: boolean;
  /**
   * Present if the call is a report of the entries booked until this instant, by the clock of the service that
   * reads the ledger; the next delta starts here.
   * @format date-time
   */
  readonly reportsAt?: string;
  /** The caller's id for the call: a repeat with the same id is not counted again. @format uuid */
  readonly callId: string;
}
/** False for a report, because only the first of two equal calls gets the time of the previous report. */
const mayBeCountedTwice = ({ reportsAt }: CountAccess): boolean => reportsAt === undefined;
export interface AccessCounted {
  /** Unattended calls left in the window, if the call was counted. */
  readonly remaining?: number;
  readonly accounts: readonly GrantedAccount[];
  /** Identifies the counted call or the report for {@link releaseAccess}; opaque. */
  readonly claimId?: string;
  /** For a report: the time of the previous report, if any. @format date-time */
  readonly lastReportAt?: string;
}
/**
 * Validates consent, access type and account, and counts the call, in one transaction. The NATS subject calls this
 * a claim.
 */
export const countAccess = call<CountAccess, AccessCounted>('svc.consents.access.claim', mayBeCountedTwice);
export type CheckAccess = Pick<CountAccess, 'tppId' | 'consentId' | 'endpoint' | 'resourceId'>;
/** Performs the same checks as counting does, without any change. */
export const checkAccess = call<CheckAccess, Record<string, never>>(
  'svc.consents.access.check',
  'idempotent',
);
/**
 * Releases a call whose response was not 2xx, so that it does not count. `callId` is the id of the counted call,
 * which may have been counted earlier.
 */
export const releaseAccess = call<
  { readonly claimId: string; readonly callId: string },
  Record<string, never>
>('svc.consents.access.release', 'idempotent');
/** Expires and rejects consents that are due; returns their number. */
export const expireDueConsents = call<Record<string, never>, { readonly expired: number }>(
  'svc.consents.expire-due',
  'idempotent',
  5000,
);
