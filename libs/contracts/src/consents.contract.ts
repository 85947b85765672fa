import type { AccountAccess, GrantedAccount } from '@xs2a/domain/consent/consent-events';
import type { ConsentStatus } from '@xs2a/domain/consent/consent-state';
import type { NotificationRegistration } from '@xs2a/domain/notification/notification-content';
import type { RedirectUris, RejectionReason } from '@xs2a/domain/payment/payment-events';
import type { Authorisation, ScaStatus } from '@xs2a/domain/sca/authorisations';
import type { PsuAccount } from './accounts.contract.js';
import type { AuthorisationStarted, StartAuthorisation } from './payments.contract.js';
import { type IdempotencyKey, call, whenKeyed } from './call.js';

/** Identifies a consent of a TPP; another TPP's consent gives consentUnknown. */
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
    /** Absent with several signers: each authorisation is started separately. */
    readonly authorisationId?: string;
  }
>('svc.consents.create', whenKeyed);

export interface ConsentView {
  /** The requested access; where the PSU picks the accounts, the picked ones. */
  readonly access: AccountAccess;
  readonly recurringIndicator: boolean;
  readonly validUntil: string;
  readonly frequencyPerDay: number;
  readonly combinedServiceIndicator: boolean;
  readonly lastActionDate: string;
  readonly consentStatus: ConsentStatus;
}
/** The TPP's own consents, newest first: at most `limit` requested before `before`; `next` when there are more. */
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
/** Starts an authorisation for another person (contract 10); the same idempotency key gets the same result again. */
export const startConsentAuthorisation = call<ConsentRef & StartAuthorisation, AuthorisationStarted>(
  'svc.consents.start-authorisation',
  whenKeyed,
);
/** DELETE: rejects a consent before authorisation and terminates it afterwards; a repeat changes nothing. */
export const terminateConsent = call<ConsentRef, Record<string, never>>(
  'svc.consents.terminate',
  'idempotent',
);

/** A consent as needed by the SCA pages and the authorization server. */
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
/** By authorisation, from a link of the service. */
export const readConsentAuthorisation = call<
  { readonly consentId: string; readonly authorisationId: string },
  ConsentAuthorisation
>('svc.consents.authorisation.read', 'idempotent');
/** By the TPP that passes the consent to /oauth2/authorize. */
export const readConsentForAuthorization = call<ConsentRef, ConsentAuthorisation>(
  'svc.consents.authorisation.read-for-tpp',
  'idempotent',
);
/** For a PSU who comes from the authorization server: the PSU's open authorisation, or a new one. */
export const beginConsentAuthorisation = call<ConsentRef & { readonly psuId: string }, AuthorisationStarted>(
  'svc.consents.authorisation.begin',
  'idempotent',
);
/** The accounts of a PSU that a consent may open and the PSU can pick. */
export const listOpenableAccounts = call<
  { readonly consentId: string; readonly psuId: string },
  { readonly accounts: readonly PsuAccount[] }
>('svc.consents.authorisation.accounts', 'idempotent');
/** The PSU approved with SCA. An IBAN that is not the PSU's rejects the consent, as the response shows. */
export const authoriseConsent = call<
  {
    readonly consentId: string;
    readonly authorisationId: string;
    readonly psuId: string;
    /** Only when the PSU picks the accounts. */
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
/** The PSU's consents that were authorised at any time, newest first, at most 100. */
export const listPsuConsents = call<{ readonly psuId: string }, { readonly consents: readonly PsuConsent[] }>(
  'svc.consents.list-of-psu',
  'idempotent',
);
/** The PSU withdraws a consent; another PSU's consent gives consentUnknown. */
export const revokeConsent = call<
  { readonly psuId: string; readonly consentId: string },
  Record<string, never>
>('svc.consents.revoke', 'idempotent');

/** AIS endpoints as the counters name them. */
export type AisEndpoint = 'accounts' | 'account' | 'balances' | 'transactions';
export interface CountAccess {
  readonly tppId: string;
  readonly consentId: string;
  readonly endpoint: AisEndpoint;
  /** The account in the path; absent for the list. */
  readonly resourceId?: string;
  /** PSU-IP-Address was sent: the call is not counted. */
  readonly psuPresent: boolean;
  /**
   * A report of the entries booked until this instant, by the clock of the service that reads the ledger: the next delta starts here.
   * @format date-time
   */
  readonly reportsAt?: string;
  /** The caller's id of the call: a repeat under the same id is not counted again. @format uuid */
  readonly callId: string;
}
/** Only the first of two equal calls gets the time of the previous report. */
const mayBeCountedTwice = ({ reportsAt }: CountAccess): boolean => reportsAt === undefined;
export interface AccessCounted {
  /** Unattended calls left in the window, when the call was counted. */
  readonly remaining?: number;
  readonly accounts: readonly GrantedAccount[];
  /** Identifies the counted call or the report in {@link releaseAccess}; opaque. */
  readonly claimId?: string;
  /** For a report: the time of the previous one, if any. @format date-time */
  readonly lastReportAt?: string;
}
/** Checks consent, access type and account, and counts the call, in one transaction. Named a claim in the messages. */
export const countAccess = call<CountAccess, AccessCounted>('svc.consents.access.claim', mayBeCountedTwice);
export type CheckAccess = Pick<CountAccess, 'tppId' | 'consentId' | 'endpoint' | 'resourceId'>;
/** The same checks as before counting, without any change. */
export const checkAccess = call<CheckAccess, Record<string, never>>(
  'svc.consents.access.check',
  'idempotent',
);
/** The response was not 2xx, so the call does not count. `callId` is that of the counted call, which may have been counted earlier. */
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
