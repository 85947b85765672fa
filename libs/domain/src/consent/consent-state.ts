import type { AccountAccess, GrantedAccount } from './consent-events.js';
import type { NotificationRegistration } from '../notification/notification-content.js';
import type { RedirectUris } from '../payment/payment-events.js';
import type { Authorisation } from '../sca/authorisations.js';

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
  /** The address to which its changes are pushed. */
  readonly notification?: NotificationRegistration;
  /** Instant until which it may be authorised. */
  readonly expiresAt: string;
  readonly status: ConsentStatus;
  /** The number of different persons who have to sign. */
  readonly signaturesRequired: number;
  /** Whose accounts it is about; any signer of that corporate may withdraw it. */
  readonly corporateId?: string;
  readonly authorisations: readonly Authorisation[];
  /** The signing basket that took it, also once that is decided. */
  readonly basketId?: string;
  /** Signing baskets that can never take it: each gave it back, or ended before it had taken it. */
  readonly formerBasketIds?: readonly string[];
  /** The access that was granted; where several sign, the choice of the first, until all have signed. */
  readonly accounts: readonly GrantedAccount[];
  /** Instant at which a used one-off consent ends. */
  readonly oneOffEndsAt?: string;
  /** ISO date of the last change. */
  readonly lastActionDate: string;
}
