import type { NotificationRegistration } from '../notification/notification-content.js';
import type { RedirectUris, RejectionReason } from '../payment/payment-events.js';
import type { SignatureEvidence } from '../sca/signature-evidence.js';

/** Access types of the detailed consent model (spec 2.1). */
export const accessTypes = ['accounts', 'balances', 'transactions'] as const;
export type AccessType = (typeof accessTypes)[number];

/** An account as named by the TPP. If the TPP names a currency, it must match the account's currency (contract 5). */
export interface AccountReference {
  readonly iban: string;
  /** ISO 4217. */
  readonly currency?: string;
  /** ISO 20022 code, returned as sent. */
  readonly cashAccountType?: string;
}

/** Account references by access type. An access type that was not requested is absent. */
export type AccountAccess = Readonly<Partial<Record<AccessType, readonly AccountReference[]>>>;

/** The distinct IBANs in an access object. */
export const listIbans = (access: AccountAccess): string[] => [
  ...new Set(accessTypes.flatMap((type) => (access[type] ?? []).map(({ iban }) => iban))),
];

/** An account that a consent gives access to. */
export interface GrantedAccount {
  readonly iban: string;
  readonly resourceId: string;
  readonly currency: string;
  readonly access: readonly AccessType[];
}

/** The events of a consent. */
export type ConsentEvent =
  | {
      readonly type: 'created';
      readonly data: {
        /** @format uuid */
        readonly consentId: string;
        readonly tppId: string;
        /** The requested access: three non-empty arrays, or three empty arrays if the PSU picks the accounts. */
        readonly access: AccountAccess;
        readonly psuPicksAccounts: boolean;
        readonly recurringIndicator: boolean;
        /** The effective date, at most as far ahead as the profile allows. @format date */
        readonly validUntil: string;
        /** The effective value, from 1 to 4. */
        readonly frequencyPerDay: number;
        readonly combinedServiceIndicator: boolean;
        readonly psuId?: string;
        readonly psuCorporateId?: string;
        /** The number of signatures required. */
        readonly signaturesRequired: number;
        /**
         * The corporate that owns the accounts. Set if several of its signers have to sign or the TPP named the
         * corporate.
         */
        readonly corporateId?: string;
        /** Set if only one signature is required. With several signers, each authorisation is started separately. */
        readonly authorisationId?: string;
        readonly redirectUris: RedirectUris;
        /** If the consent has not been authorised by then, it is rejected. @format date-time */
        readonly expiresAt: string;
        /** The address for pushed status changes. If absent, none are pushed. */
        readonly notification?: NotificationRegistration;
      };
    }
  | {
      readonly type: 'authorisation-started';
      readonly data: {
        readonly authorisationId: string;
        /** The PSU who has to sign; no other PSU can sign with this authorisation. */
        readonly psuId?: string;
        /** The redirect addresses for this PSU's browser. If absent, those of the consent apply. */
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
  | {
      readonly type: 'partly-authorised';
      readonly data: {
        readonly authorisationId: string;
        readonly psuId: string;
        /** The access that every signer grants. Later signers must agree to what the first signer granted. */
        readonly accounts: readonly GrantedAccount[];
        readonly evidence?: SignatureEvidence;
      };
    }
  | {
      readonly type: 'authorised';
      readonly data: {
        readonly authorisationId: string;
        readonly psuId: string;
        readonly accounts: readonly GrantedAccount[];
        readonly evidence?: SignatureEvidence;
      };
    }
  | {
      readonly type: 'rejected';
      readonly data: {
        /** The authorisation that caused the rejection. Absent if no single authorisation caused it. */
        readonly authorisationId?: string;
        readonly reason: RejectionReason | 'terminated-by-tpp' | 'ended-by-bank';
        readonly psuId?: string;
      };
    }
  | { readonly type: 'terminated-by-tpp'; readonly data: { readonly tppId: string } }
  | { readonly type: 'revoked-by-psu'; readonly data: { readonly psuId: string } }
  | {
      readonly type: 'expired';
      readonly data: {
        readonly reason: 'valid-until-passed' | 'one-off-used' | 'replaced' | 'ended-by-bank';
      };
    }
  /** A one-off consent was used for the first time. It expires 20 minutes later. */
  | {
      readonly type: 'first-used';
      readonly data: {
        /** @format date-time */
        readonly expiresAt: string;
      };
    };

export type ConsentEventType = ConsentEvent['type'];
