import type { Failure } from '../failure/failures.js';
import type { NotificationRegistration } from '../notification/notification-content.js';
import type { RedirectUris, RejectionReason } from '../payment/payment-events.js';
import type { Authorisation } from '../sca/authorisations.js';
import type { BasketStage } from './basket-transitions.js';

/** The state of a signing basket, folded from its events. */
export interface BasketState {
  readonly basketId: string;
  readonly tppId: string;
  /** In the order of the request body. */
  readonly paymentIds: readonly string[];
  readonly consentIds: readonly string[];
  readonly namedPsuId?: string;
  readonly redirectUris: RedirectUris;
  /** The address for pushed status changes. */
  readonly notification?: NotificationRegistration;
  readonly expiresAt: string;
  readonly abandonAt: string;
  readonly stage: BasketStage;
  /** The number of signatures that the basket needs: the largest number needed by any item. */
  readonly signaturesRequired: number;
  readonly authorisations: readonly Authorisation[];
  /** The accounts that the first signer chose, if a consent lets the PSU choose. */
  readonly chosenIbans?: readonly string[];
  /**
   * The instant (ISO) from which the basket's result (signatures, rejection or release) must be passed to the
   * items. Set until every item has received it.
   */
  readonly updatesItemsSince?: string;
  /** Why the basket was abandoned. */
  readonly refusal?: Omit<Failure, 'dependency'>;
  readonly rejectionReason?: RejectionReason;
  /** The Idempotency-Key of the DELETE that cancelled the basket; a retry with the same key gets 204 again. */
  readonly cancelledWithKey?: string;
  /** How far the bank's clock was ahead of real time at the last signature, in milliseconds; absent if it was not. */
  readonly clockOffsetMs?: number;
}
