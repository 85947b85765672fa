import type { NotificationRegistration } from '@xs2a/domain/notification/notification-content';
import type { RedirectUris, RejectionReason } from '@xs2a/domain/payment/payment-events';
import type { ScaStatus } from '@xs2a/domain/sca/authorisations';
import type { SignatureEvidence } from '@xs2a/domain/sca/signature-evidence';
import type { PsuAccount } from './accounts.contract.js';
import { answerWithinMs, call, type Call, type IdempotencyKey, whenKeyed } from './call.js';

/** The parameters of POST …/authorisations (contract 10). */
export interface StartAuthorisation {
  readonly idempotencyKey: IdempotencyKey;
  readonly psuId?: string;
  readonly psuCorporateId?: string;
  readonly redirectUris: RedirectUris;
  /** The new address to which the resource's changes are pushed. If absent, the address stays unchanged. */
  readonly notification?: NotificationRegistration;
}
export interface AuthorisationStarted {
  readonly authorisationId: string;
}
/** The authorisations of a resource, in the order in which they were started. */
interface AuthorisationList {
  readonly authorisations: readonly { readonly authorisationId: string; readonly scaStatus: ScaStatus }[];
}
/** The PSU was accepted as a signer, or the resource was rejected. */
export interface Identified {
  readonly scaStatus: ScaStatus;
  readonly rejectionReason?: RejectionReason;
}
export interface SignatureGiven<Status> {
  readonly status: Status;
  /** False if the resource was rejected instead of being signed. */
  readonly isSigned: boolean;
  /** The number of signatures that are still missing. */
  readonly signaturesMissing: number;
  readonly rejectionReason?: RejectionReason;
}

/**
 * The part of {@link AuthorisationCalls.read}'s answer that most kinds of resources share: the authorisation in an
 * SCA link, and who has signed the resource.
 */
export interface LinkedAuthorisation {
  readonly authorisationId: string;
  readonly tppId: string;
  readonly scaStatus: ScaStatus;
  /** The PSU who signed in with this authorisation. */
  readonly psuId?: string;
  /** The redirect addresses for this PSU's browser. */
  readonly redirectUris: RedirectUris;
  /** ISO instant. */
  readonly expiresAt: string;
  /** The number of signers who have not signed yet. */
  readonly signaturesMissing: number;
  /** Ids of the PSUs who have signed. */
  readonly signedBy: readonly string[];
  /** True if a PSU has been accepted as a signer. Refusing then requires a sign-in. */
  readonly isTaken: boolean;
  /** Why the resource was rejected; absent in an answer of an earlier release. */
  readonly rejectionReason?: RejectionReason;
}

/**
 * The calls about the authorisations of one kind of resource (contract 10). `Owned` identifies the TPP's resource,
 * `Linked` the resource and authorisation in an SCA link. `Shown` is what the SCA pages show and check, and
 * `Status` is the resource's status.
 */
export interface AuthorisationCalls<Owned, Linked, Shown, Status> {
  /** Starts an authorisation for another signer. A repeat with the same idempotency key returns the same result. */
  readonly start: Call<Owned & StartAuthorisation, AuthorisationStarted>;
  readonly list: Call<Owned, AuthorisationList>;
  readonly read: Call<Linked, Shown>;
  /** Identifies the PSU, who may then sign. Rejects the resource if this PSU cannot sign it. */
  readonly identify: Call<Linked & { readonly psuId: string }, Identified>;
  /** Returns the accounts from which the PSU can choose. Empty if the resource leaves no choice. */
  readonly accounts: Call<Linked & { readonly psuId: string }, { readonly accounts: readonly PsuAccount[] }>;
  /**
   * Signs the resource. If several calls are made, exactly one succeeds; the others fail with
   * statusForbidsAuthorisation.
   */
  readonly sign: Call<
    Linked & {
      readonly psuId: string;
      /** Present only if the PSU chose the accounts. */
      readonly chosenIbans?: readonly string[];
      readonly evidence?: SignatureEvidence;
    },
    SignatureGiven<Status>
  >;
  /** Rejects the resource for all its signers. */
  readonly reject: Call<
    Linked & { readonly psuId?: string; readonly reason: RejectionReason },
    { readonly status: Status }
  >;
}

/**
 * Creates the calls. Those of the SCA pages are below `subject`, and those of the gateway are below its plural, so
 * that each service needs only the NATS permissions for its own calls. `timeoutMs` applies to the pages' calls that
 * change the resource.
 */
export const authorisationCalls = <Owned, Linked, Shown, Status>(
  subject: string,
  timeoutMs = answerWithinMs,
): AuthorisationCalls<Owned, Linked, Shown, Status> => ({
  start: call(`${subject}s.start`, (request) => whenKeyed(request)),
  list: call(`${subject}s.list`, 'idempotent'),
  read: call(`${subject}.read`, 'idempotent'),
  identify: call(`${subject}.identify`, 'not-idempotent', timeoutMs),
  accounts: call(`${subject}.accounts`, 'idempotent'),
  sign: call(`${subject}.sign`, 'not-idempotent', timeoutMs),
  reject: call(`${subject}.reject`, 'not-idempotent', timeoutMs),
});
