import type { QueuedNotification } from './notifications.contract.js';
import type { UnfinishedTransaction } from './settlement.contract.js';
import { call } from './call.js';

/** The format of a bundle's file and of the statement that is signed. */
export const bundleFormat = 'xs2a-dispute-bundle/1';
/** The `typ` of the signature, which no token and no notification has (RFC 7515). */
export const bundleSignatureType = 'xs2a-dispute-bundle+jws';
/** The member `purpose` of the published keys that sign bundles. They verify neither tokens nor notifications. */
export const bundleKeyPurpose = 'dispute-bundle';

/** An event of a payment with everything that its hash covers. Hashes are in hexadecimal. */
export interface StoredBundleEvent {
  /** Its position in the log of payments; null while it has none yet. */
  readonly pos: number | null;
  readonly eventId: string;
  readonly version: number;
  readonly type: string;
  readonly schemaVersion: number;
  /** @format date-time */
  readonly occurredAt: string;
  readonly meta: unknown;
  /** The data as hashed, with the personal data encrypted. */
  readonly stored: unknown;
  readonly prevHash: string;
  readonly hash: string;
}

/** A part of the events of a payment, as large as a message may be. */
export type BundleEvents =
  /** The database has no payment with this id: it never existed, or its month is archived. */
  | { readonly outcome: 'unknown' }
  /** The key of its personal data is erased. */
  | { readonly outcome: 'erased' }
  | {
      readonly outcome: 'read';
      /** The key of this payment's personal data: AES-256, in base64; null if nothing is encrypted. */
      readonly key: string | null;
      /** Oldest first. */
      readonly events: readonly StoredBundleEvent[];
      /** True if there are later events. */
      readonly hasMore: boolean;
    };

/**
 * Reads the events of a payment after a version, with the key of its personal data. For the console, which has recorded who
 * asks and why. No other NATS user may make this call.
 */
export const readBundleEvents = call<{ readonly paymentId: string; readonly after: number }, BundleEvents>(
  'svc.payments.console.bundle',
  'idempotent',
  5000,
);

/** An event of a bundle: `data` is what was decrypted from `stored`. */
export interface BundleEvent extends StoredBundleEvent {
  readonly data: unknown;
}

/** The content of a bundle: everything about one payment, and nothing about others. */
export interface BundleContent {
  readonly paymentId: string;
  readonly key: string | null;
  readonly events: readonly BundleEvent[];
  /** Transactions whose settlement has started or failed, and has not finished. */
  readonly unfinished: readonly UnfinishedTransaction[];
  /** The notifications to the TPP that are kept. */
  readonly pushes: readonly QueuedNotification[];
  /** What the bundle cannot prove, each as one sentence. */
  readonly missing: readonly string[];
}

/** The statement that is signed. */
export interface BundleStatement {
  readonly format: typeof bundleFormat;
  /** The bank's public origin. */
  readonly iss: string;
  readonly paymentId: string;
  /** By the bank's clock. @format date-time */
  readonly exportedAt: string;
  /** The SHA-256 of the content's canonical JSON, in base64url. */
  readonly contentSha256: string;
}

/** The file. `signature` is a JWS in compact form (ES256) of the {@link BundleStatement}. */
export interface BundleFile {
  readonly format: typeof bundleFormat;
  readonly signature: string;
  readonly content: BundleContent;
}

/**
 * Signs the statement about a bundle with the key for bundles. The authorization server adds issuer and time, and
 * signs nothing else with that key.
 */
export const signBundle = call<
  Pick<BundleStatement, 'paymentId' | 'contentSha256'>,
  { readonly signature: string }
>('svc.auth.console.sign-bundle', 'idempotent');

/** The number of characters of a file that one answer contains, so that it fits into a message. */
export const bundlePartLength = 250_000;
/** A part of the dispute bundle of a payment, for an operator who exports it with the `xs2a` command. */
export interface ExportBundle {
  /** The same for all parts; an id that was used for another export shows nothing. @format uuid */
  readonly actionId: string;
  readonly paymentId: string;
  /** The name that the operator gave, or that of the operating system user. */
  readonly operator: string;
  readonly reason: string;
  /** 0 for the first part, which records the export and counts like a revealed field. */
  readonly part: number;
}
export type ExportedBundle =
  | { readonly text: string; readonly parts: number }
  /** Why there is none, as one sentence. */
  | { readonly refused: string };
/** For the bank's operator. */
export const exportBundle = call<ExportBundle, ExportedBundle>(
  'svc.console.operator.export-bundle',
  'not-idempotent',
  10_000,
);
