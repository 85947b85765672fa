import type { FailureName } from '../failure/failures.js';
import type { NotificationRegistration } from '../notification/notification-content.js';
import type { RedirectUris, RejectionReason } from '../payment/payment-events.js';
import type { SignatureEvidence } from '../sca/signature-evidence.js';

/** One signer's signature, which counts for every item. */
interface BasketSignature {
  readonly authorisationId: string;
  readonly psuId: string;
  /** @format date-time */
  readonly signedAt: string;
  readonly evidence?: SignatureEvidence;
}

/** The data of the event that records a signature on a basket. */
export interface BasketSigned extends BasketSignature {
  /**
   * The accounts that this signer chose, for the consents that leave the choice to the PSU. Absent if there is
   * nothing to choose.
   */
  readonly chosenIbans?: readonly string[];
}

/**
 * The events of a signing basket (contract 10). A new basket is opened but hidden from TPPs. It is created once it
 * has claimed all its items, or abandoned if one cannot be claimed.
 */
export type BasketEvent =
  | {
      readonly type: 'basket-opened';
      readonly data: {
        /** @format uuid */
        readonly basketId: string;
        readonly tppId: string;
        /** In the order of the request body. */
        readonly paymentIds: readonly string[];
        /** In the order of the request body. */
        readonly consentIds: readonly string[];
        /** The PSU that the TPP named for the basket or for one of its items. */
        readonly psuId?: string;
        /** The number of signatures that the basket needs: the largest number needed by any item. */
        readonly signaturesRequired: number;
        /**
         * Set if the basket needs only one signature. With several signers, each authorisation is started
         * separately.
         */
        readonly authorisationId?: string;
        readonly redirectUris: RedirectUris;
        /**
         * The earliest expiry among the items. If the basket has not been signed by then, all items are rejected.
         * @format date-time
         */
        readonly expiresAt: string;
        /** If the basket has not been created by then, it is abandoned. @format date-time */
        readonly abandonAt: string;
        /** The address for pushed status changes. If absent, none are pushed. */
        readonly notification?: NotificationRegistration;
      };
    }
  | { readonly type: 'basket-created'; readonly data: Readonly<Record<string, never>> }
  | {
      readonly type: 'basket-abandoned';
      readonly data: {
        readonly failure: FailureName;
        /** The path of the item that could not be claimed. */
        readonly path?: string;
      };
    }
  | {
      readonly type: 'basket-authorisation-started';
      readonly data: {
        readonly authorisationId: string;
        /** The PSU who has to sign; no other PSU can sign with this authorisation. */
        readonly psuId?: string;
        /** The redirect addresses for this PSU's browser. If absent, those of the basket apply. */
        readonly redirectUris?: RedirectUris;
        /** The new address for pushed status changes. If absent, the address is unchanged. */
        readonly notification?: NotificationRegistration;
      };
    }
  | {
      readonly type: 'basket-signer-identified';
      readonly data: { readonly authorisationId: string; readonly psuId: string };
    }
  | { readonly type: 'basket-partly-signed'; readonly data: BasketSigned }
  | {
      readonly type: 'basket-signed';
      readonly data: BasketSigned & {
        /** How far the bank's clock was ahead of real time, in milliseconds; absent if it was not. */
        readonly clockOffsetMs?: number;
      };
    }
  | {
      readonly type: 'basket-rejected';
      readonly data: {
        /** The authorisation that caused the rejection. Absent if no single authorisation caused it. */
        readonly authorisationId?: string;
        readonly reason: RejectionReason;
        readonly psuId?: string;
      };
    }
  | {
      readonly type: 'basket-cancelled';
      readonly data: { readonly tppId: string; readonly idempotencyKey?: string };
    }
  | { readonly type: 'basket-items-updated'; readonly data: Readonly<Record<string, never>> }
  | { readonly type: 'basket-completed'; readonly data: Readonly<Record<string, never>> };

export type BasketEventType = BasketEvent['type'];
