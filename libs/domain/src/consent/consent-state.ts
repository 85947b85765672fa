import type { AccountAccess, GrantedAccount } from './consent-events.js';
import type { RedirectUris } from '../payment/payment-events.js';
import type { ScaStatus } from '../sca/authorisations.js';

/** Berlin Group consentStatus values (contract 5). */
export type ConsentStatus =
  | 'received'
  | 'partiallyAuthorised'
  | 'valid'
  | 'rejected'
  | 'revokedByPsu'
  | 'terminatedByTpp'
  | 'expired';

/** A consent as its events tell it. */
export interface ConsentState {
  readonly consentId: string;
  readonly tppId: string;
  readonly access: AccountAccess;
  readonly psuPicksAccounts: boolean;
  readonly recurringIndicator: boolean;
  readonly validUntil: string;
  readonly frequencyPerDay: number;
  readonly combinedServiceIndicator: boolean;
  readonly namedPsuId?: string;
  readonly psuCorporateId?: string;
  readonly redirectUris: RedirectUris;
  /** Instant until which it may be authorised. */
  readonly expiresAt: string;
  readonly status: ConsentStatus;
  readonly authorisation: {
    readonly authorisationId: string;
    readonly scaStatus: ScaStatus;
    readonly psuId?: string;
  };
  readonly accounts: readonly GrantedAccount[];
  /** Instant at which a used one-off consent ends. */
  readonly oneOffEndsAt?: string;
  /** ISO date of the last change. */
  readonly lastActionDate: string;
}
