import type { LinkedAuthorisation } from '@xs2a/contracts/authorisations.contract';

/** The state of a resource and of the authorisation in an SCA link, in the same form for every kind of resource. */
export interface LinkedState extends Omit<LinkedAuthorisation, 'authorisationId' | 'scaStatus'> {
  /** True while both the resource and the authorisation await a signature. */
  readonly isOpen: boolean;
  /** True if the resource is in a signing basket and cannot be signed separately. */
  readonly isGrouped: boolean;
  /** True if the resource was rejected, or one of its signers stopped it. */
  readonly isRejected: boolean;
  /** True if the TPP cancelled the resource. */
  readonly isCancelled: boolean;
  /** The reason shown for a link that can no longer be used. */
  readonly closed: 'signed' | 'used';
}
