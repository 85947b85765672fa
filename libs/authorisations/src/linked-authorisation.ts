import type { LinkedAuthorisation } from '@xs2a/contracts/authorisations.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import type { RedirectUris, RejectionReason } from '@xs2a/domain/payment/payment-events';
import {
  type Authorisation,
  authorisationIn,
  listSigners,
  signaturesMissing,
} from '@xs2a/domain/sca/authorisations';
import { isTaken, type SignableResource } from '@xs2a/domain/sca/multilevel-authorisation';

/** Finds an authorisation of a resource. Throws CallFailed (resourceUnknown) if none has that id. */
export const findAuthorisation = (
  resource: Parameters<typeof authorisationIn>[0],
  authorisationId: string,
): Authorisation => {
  const authorisation = authorisationIn(resource, authorisationId);
  if (authorisation === undefined) throw callFailed('resourceUnknown');
  return authorisation;
};

/** Returns what the SCA pages need of every resource. Throws CallFailed (resourceUnknown). */
export const linkedAuthorisation = (
  resource: SignableResource & {
    readonly tppId: string;
    readonly redirectUris: RedirectUris;
    readonly rejectionReason?: RejectionReason;
  },
  authorisationId: string,
): LinkedAuthorisation => {
  const { scaStatus, psuId, redirectUris } = findAuthorisation(resource, authorisationId);
  return {
    authorisationId,
    tppId: resource.tppId,
    scaStatus,
    psuId,
    redirectUris: redirectUris ?? resource.redirectUris,
    expiresAt: resource.expiresAt,
    signaturesMissing: signaturesMissing(resource),
    signedBy: listSigners(resource),
    isTaken: isTaken(resource),
    rejectionReason: resource.rejectionReason,
  };
};
