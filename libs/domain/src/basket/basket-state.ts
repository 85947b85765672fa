import type { Failure } from '../failure/failures.js';
import type { NotificationRegistration } from '../notification/notification-content.js';
import type { RedirectUris, RejectionReason } from '../payment/payment-events.js';
import type { Authorisation } from '../sca/authorisations.js';
import type { BasketStage } from './basket-transitions.js';

/** A signing basket as its events tell it. */
export interface BasketState {
  readonly basketId: string;
  readonly tppId: string;
  /** In the order of the body. */
  readonly paymentIds: readonly string[];
  readonly consentIds: readonly string[];
  readonly namedPsuId?: string;
  readonly redirectUris: RedirectUris;
  /** The address to which its changes are pushed. */
  readonly notification?: NotificationRegistration;
  readonly expiresAt: string;
  readonly abandonAt: string;
  readonly stage: BasketStage;
  /** The largest number of signers among the items. */
  readonly signaturesRequired: number;
  readonly authorisations: readonly Authorisation[];
  /** The accounts that the first signer chose, where consents leave the choice to the PSU. */
  readonly chosenIbans?: readonly string[];
  /** When the items were to be given the signatures, the rejection or their freedom, while not all have been (ISO instant). */
  readonly updatesItemsSince?: string;
  /** Why it was abandoned. */
  readonly refusal?: Failure;
  readonly rejectionReason?: RejectionReason;
  /** The Idempotency-Key of the DELETE that cancelled it; a retry with it is answered 204 again. */
  readonly cancelledWithKey?: string;
}
