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

/** The state of a consent, folded from its events. */
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
  /** The address for pushed status changes. */
  readonly notification?: NotificationRegistration;
  /** The instant until which the consent can be authorised. */
  readonly expiresAt: string;
  readonly status: ConsentStatus;
  /** The number of signatures required. */
  readonly signaturesRequired: number;
  /** The corporate that owns the accounts; any of its signers may withdraw the consent. */
  readonly corporateId?: string;
  readonly authorisations: readonly Authorisation[];
  /** The signing basket that claimed the consent; kept after the decision. */
  readonly basketId?: string;
  /** Signing baskets that can no longer claim the consent: each released it or ended before claiming it. */
  readonly formerBasketIds?: readonly string[];
  /** The granted access. With several signers, this is the first signer's choice until all have signed. */
  readonly accounts: readonly GrantedAccount[];
  /** ISO instant at which a used one-off consent expires. */
  readonly oneOffEndsAt?: string;
  /** ISO date of the last status change. */
  readonly lastActionDate: string;
}
