import type { AccountAccess, GrantedAccount } from '@xs2a/domain/consent/consent-events';
import type { ConsentStatus } from '@xs2a/domain/consent/consent-state';
import type { NotificationRegistration } from '@xs2a/domain/notification/notification-content';
import type { RedirectUris, RejectionReason } from '@xs2a/domain/payment/payment-events';
import type { Authorisation, ScaStatus } from '@xs2a/domain/sca/authorisations';
import type { PsuAccount } from './accounts.contract.js';
import type { AuthorisationStarted, StartAuthorisation } from './payments.contract.js';
import { type IdempotencyKey, call, whenKeyed } from './call.js';

/** Which consent a TPP asks for; one of another TPP does not exist for it (consentUnknown). */
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
  /** The address to which its changes are pushed. */
  readonly notification?: NotificationRegistration;
}
export const createConsent = call<
  CreateConsent,
  {
    readonly consentId: string;
    /** Absent where several persons have to sign: each authorisation is started by itself. */
    readonly authorisationId?: string;
  }
>('svc.consents.create', whenKeyed);

export interface ConsentView {
  /** The access that was asked for; where the PSU picks the accounts, those that were picked. */
  readonly access: AccountAccess;
  readonly recurringIndicator: boolean;
  readonly validUntil: string;
  readonly frequencyPerDay: number;
  readonly combinedServiceIndicator: boolean;
  readonly lastActionDate: string;
  readonly consentStatus: ConsentStatus;
}
/** The TPP's own, the newest first: those asked for before `before`, at most `limit`; `next` when there are more. */
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
/** A further person is to sign (contract 10); the same idempotency key gets the same answer again. */
export const startConsentAuthorisation = call<ConsentRef & StartAuthorisation, AuthorisationStarted>(
  'svc.consents.start-authorisation',
  whenKeyed,
);
/** DELETE: before authorisation it is rejected, afterwards terminated; a repeat does nothing. */
export const terminateConsent = call<ConsentRef, Record<string, never>>(
  'svc.consents.terminate',
  'idempotent',
);

/** A consent as the SCA pages and the authorization server need it. */
export interface ConsentAuthorisation {
  readonly consentId: string;
  readonly authorisations: readonly Authorisation[];
  readonly tppId: string;
  readonly consentStatus: ConsentStatus;
  /** Ids of the PSUs who have authorised it. */
  readonly signedBy: readonly string[];
  readonly signaturesRequired: number;
  readonly signaturesMissing: number;
  /** The accounts that the first of several signers granted; the others agree to exactly these. */
  readonly agreedIbans?: readonly string[];
  readonly access: AccountAccess;
  readonly psuPicksAccounts: boolean;
  readonly recurringIndicator: boolean;
  readonly validUntil: string;
  readonly frequencyPerDay: number;
  readonly redirectUris: RedirectUris;
  readonly expiresAt: string;
  /** It is in a signing basket, and cannot be authorised alone. */
  readonly isGrouped: boolean;
}
/** By authorisation, from a link of the service's own. */
export const readConsentAuthorisation = call<
  { readonly consentId: string; readonly authorisationId: string },
  ConsentAuthorisation
>('svc.consents.authorisation.read', 'idempotent');
/** By the TPP that names the consent at /oauth2/authorize. */
export const readConsentForAuthorization = call<ConsentRef, ConsentAuthorisation>(
  'svc.consents.authorisation.read-for-tpp',
  'idempotent',
);
/** A PSU who comes by the authorization server: that PSU's own authorisation that is open, or a new one. */
export const beginConsentAuthorisation = call<ConsentRef & { readonly psuId: string }, AuthorisationStarted>(
  'svc.consents.authorisation.begin',
  'idempotent',
);
/** The accounts of a PSU that a consent may open: the PSU picks among these. */
export const listOpenableAccounts = call<
  { readonly consentId: string; readonly psuId: string },
  { readonly accounts: readonly PsuAccount[] }
>('svc.consents.authorisation.accounts', 'idempotent');
/** The PSU approved with SCA. An IBAN that is not the PSU's rejects the consent; the answer tells. */
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
/** The PSU's consents that were ever authorised, newest first, at most 100. */
export const listPsuConsents = call<{ readonly psuId: string }, { readonly consents: readonly PsuConsent[] }>(
  'svc.consents.list-of-psu',
  'idempotent',
);
/** The PSU withdraws a consent; one of another PSU is consentUnknown. */
export const revokeConsent = call<
  { readonly psuId: string; readonly consentId: string },
  Record<string, never>
>('svc.consents.revoke', 'idempotent');

/** AIS endpoints as the counters see them. */
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
   * A report of what is booked up to this moment, by the clock of whoever reads the books: the next delta begins here.
   * @format date-time
   */
  readonly reportsAt?: string;
  /** The caller's id of the call: one that comes again under its id is not counted again. @format uuid */
  readonly callId: string;
}
/** Only the first of two equal calls is answered with the time of the report before. */
const mayBeCountedTwice = ({ reportsAt }: CountAccess): boolean => reportsAt === undefined;
export interface AccessCounted {
  /** Unattended calls left in the window, when the call was counted. */
  readonly remaining?: number;
  readonly accounts: readonly GrantedAccount[];
  /** Names the counted call or the report in {@link releaseAccess}; opaque, and called a claim on the wire. */
  readonly claimId?: string;
  /** To a report: when the one before it was made, if there was one. @format date-time */
  readonly lastReportAt?: string;
}
/** Checks consent, access type and account, and counts the call, in one transaction. On the wire it is called a claim. */
export const countAccess = call<CountAccess, AccessCounted>('svc.consents.access.claim', mayBeCountedTwice);
export type CheckAccess = Pick<CountAccess, 'tppId' | 'consentId' | 'endpoint' | 'resourceId'>;
/** Checks consent, access type and account as before counting, and changes nothing. */
export const checkAccess = call<CheckAccess, Record<string, never>>(
  'svc.consents.access.check',
  'idempotent',
);
/** The call was not answered with 2xx: it does not count. `callId` is that of the counted call, which may have been counted under it before. */
export const releaseAccess = call<
  { readonly claimId: string; readonly callId: string },
  Record<string, never>
>('svc.consents.access.release', 'idempotent');
/** Expires and rejects what is due, now; answers how many. */
export const expireDueConsents = call<Record<string, never>, { readonly expired: number }>(
  'svc.consents.expire-due',
  'idempotent',
  5000,
);
