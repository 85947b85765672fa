import type { RedirectUris, RejectionReason } from '../payment/payment-events.js';

/** Access types of the detailed consent model (spec 2.1). */
export const accessTypes = ['accounts', 'balances', 'transactions'] as const;
export type AccessType = (typeof accessTypes)[number];

/** IBANs by access type. An access type that the TPP did not ask for is absent. */
export type AccountAccess = Readonly<Partial<Record<AccessType, readonly string[]>>>;

/** An account that a consent opens: its IBAN, its id in the API, and for what. */
export interface GrantedAccount {
  readonly iban: string;
  readonly resourceId: string;
  readonly currency: string;
  readonly access: readonly AccessType[];
}

/** What happened to a consent. */
export type ConsentEvent =
  | {
      readonly type: 'created';
      readonly data: {
        /** @format uuid */
        readonly consentId: string;
        readonly tppId: string;
        /** As asked for: all arrays filled, or all three empty (the PSU picks). */
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
        readonly authorisationId: string;
        readonly redirectUris: RedirectUris;
        /** Not authorised by then: rejected. @format date-time */
        readonly expiresAt: string;
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
        readonly authorisationId: string;
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
