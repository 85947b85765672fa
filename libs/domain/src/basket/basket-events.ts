import type { FailureName } from '../failure/failures.js';
import type { NotificationRegistration } from '../notification/notification-content.js';
import type { RedirectUris, RejectionReason } from '../payment/payment-events.js';

/** The signature of one person, which counts for every item. */
interface BasketSignature {
  readonly authorisationId: string;
  readonly psuId: string;
  /** @format date-time */
  readonly signedAt: string;
}

/** The data of a basket's signature event. */
export interface BasketSigned extends BasketSignature {
  /** The accounts that this signer opens in the consents that leave the choice to the PSU; absent: nothing to choose. */
  readonly chosenIbans?: readonly string[];
}

/**
 * What happened to a signing basket (contract 10). It is opened first, which nobody sees; it is created once every item is
 * taken into it, and abandoned when one cannot be.
 */
export type BasketEvent =
  | {
      readonly type: 'basket-opened';
      readonly data: {
        /** @format uuid */
        readonly basketId: string;
        readonly tppId: string;
        /** In the order of the body. */
        readonly paymentIds: readonly string[];
        /** In the order of the body. */
        readonly consentIds: readonly string[];
        /** The PSU that the TPP named for the basket or for one of its items. */
        readonly psuId?: string;
        /** The largest number of signers among the items. */
        readonly signaturesRequired: number;
        /** The authorisation of the one person who signs; where several sign, each authorisation is started by itself. */
        readonly authorisationId?: string;
        readonly redirectUris: RedirectUris;
        /** When the first of its items expires: not signed by then, all are rejected. @format date-time */
        readonly expiresAt: string;
        /** Not created by then: abandoned. @format date-time */
        readonly abandonAt: string;
        /** The address to which its changes are pushed; absent: nowhere. */
        readonly notification?: NotificationRegistration;
      };
    }
  | { readonly type: 'basket-created'; readonly data: Readonly<Record<string, never>> }
  | {
      readonly type: 'basket-abandoned';
      readonly data: {
        readonly failure: FailureName;
        /** The path of the item that could not be taken. */
        readonly path?: string;
      };
    }
  | {
      readonly type: 'basket-authorisation-started';
      readonly data: {
        readonly authorisationId: string;
        /** The PSU who is to sign; nobody else can then. */
        readonly psuId?: string;
        /** The addresses to which this PSU's browser goes; absent: those of the basket. */
        readonly redirectUris?: RedirectUris;
        /** The address to which changes are pushed from now on; absent: it stays as it was. */
        readonly notification?: NotificationRegistration;
      };
    }
  | {
      readonly type: 'basket-signer-identified';
      readonly data: { readonly authorisationId: string; readonly psuId: string };
    }
  | { readonly type: 'basket-partly-signed'; readonly data: BasketSigned }
  | { readonly type: 'basket-signed'; readonly data: BasketSigned }
  | {
      readonly type: 'basket-rejected';
      readonly data: {
        /** Absent: no single authorisation was the cause. */
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
