import type { NotificationRegistration } from '../notification/notification-content.js';
import type { RedirectUris, RejectionReason } from '../payment/payment-events.js';

/** Access types of the detailed consent model (spec 2.1). */
export const accessTypes = ['accounts', 'balances', 'transactions'] as const;
export type AccessType = (typeof accessTypes)[number];

/** An account as a TPP names it; the currency, where it is named, must be the account's (contract 5). */
export interface AccountReference {
  readonly iban: string;
  /** ISO 4217. */
  readonly currency?: string;
  /** ISO 20022 code, shown again as it was sent. */
  readonly cashAccountType?: string;
}

/** Account references by access type. An access type that the TPP did not ask for is absent. */
export type AccountAccess = Readonly<Partial<Record<AccessType, readonly AccountReference[]>>>;

/** The IBANs that an access names, each once. */
export const listIbans = (access: AccountAccess): string[] => [
  ...new Set(accessTypes.flatMap((type) => (access[type] ?? []).map(({ iban }) => iban))),
];

/** An account that a consent opens: its IBAN, its id in the API, and for what. */
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
        /** The access that was asked for: all arrays filled, or all three empty (the PSU picks). */
        readonly access: AccountAccess;
        readonly psuPicksAccounts: boolean;
        readonly recurringIndicator: boolean;
        /** Effective: at most 90 days ahead. @format date */
        readonly validUntil: string;
        /** Effective value, 1 to 4. */
        readonly frequencyPerDay: number;
        readonly combinedServiceIndicator: boolean;
        readonly psuId?: string;
        readonly psuCorporateId?: string;
        /** The number of different persons who have to sign. */
        readonly signaturesRequired: number;
        /** Whose accounts it is about, where several persons of that corporate sign, or the TPP named it. */
        readonly corporateId?: string;
        /** The authorisation of the one person who signs; where several sign, each authorisation is started by itself. */
        readonly authorisationId?: string;
        readonly redirectUris: RedirectUris;
        /** Not authorised by then: rejected. @format date-time */
        readonly expiresAt: string;
        /** The address to which its changes are pushed; absent: nowhere. */
        readonly notification?: NotificationRegistration;
      };
    }
  | {
      readonly type: 'authorisation-started';
      readonly data: {
        readonly authorisationId: string;
        /** The PSU who is to sign; nobody else can then. */
        readonly psuId?: string;
        /** The addresses to which this PSU's browser goes; absent: those of the consent. */
        readonly redirectUris?: RedirectUris;
        /** The address to which changes are pushed from now on; absent: it stays as it was. */
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
        /** The access that every signer grants: those after the first can only agree. */
        readonly accounts: readonly GrantedAccount[];
      };
    }
  | {
      readonly type: 'authorised';
      readonly data: {
        readonly authorisationId: string;
        readonly psuId: string;
        readonly accounts: readonly GrantedAccount[];
      };
    }
  | {
      readonly type: 'rejected';
      readonly data: {
        /** Absent: no single authorisation was the cause. */
        readonly authorisationId?: string;
        readonly reason: RejectionReason | 'terminated-by-tpp';
        readonly psuId?: string;
      };
    }
  | { readonly type: 'terminated-by-tpp'; readonly data: { readonly tppId: string } }
  | { readonly type: 'revoked-by-psu'; readonly data: { readonly psuId: string } }
  | {
      readonly type: 'expired';
      readonly data: { readonly reason: 'valid-until-passed' | 'one-off-used' | 'replaced' };
    }
  /** A one-off consent was used for the first time; it expires 20 minutes later. */
  | {
      readonly type: 'first-used';
      readonly data: {
        /** @format date-time */
        readonly expiresAt: string;
      };
    };

export type ConsentEventType = ConsentEvent['type'];
