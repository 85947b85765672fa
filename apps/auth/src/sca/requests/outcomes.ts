import type { FailureReason } from '../catalogue/catalogue.js';
import type { Outcome } from '../page-sessions.js';
import { type LinkedState, signedOutcome } from './signable-request.js';

const failed = (reason: FailureReason): Outcome => ({ kind: 'failed', reason });

/** The status of a payment or basket. */
interface ResourceStatus {
  readonly transactionStatus: string;
  readonly signedBy: readonly string[];
  readonly signaturesMissing: number;
}

/** The outcome for a PSU whose step came too late, by the status of the payment or basket. */
export const outcomeOfRefusedStep = (
  resource: ResourceStatus | undefined,
  psuId: string | undefined,
): Outcome => {
  if (resource === undefined || resource.transactionStatus === 'RJCT') return failed('no-longer-possible');
  if (resource.transactionStatus === 'CANC') return failed('terminated-by-tpp');
  if (psuId !== undefined && resource.signedBy.includes(psuId))
    return { kind: 'unchanged', reason: 'signed-before' };
  return {
    kind: 'unchanged',
    reason: resource.signaturesMissing === 0 ? 'signed-by-another' : 'taken-by-another',
  };
};

/** How a payment or basket ended for this PSU; undefined for a PSU who neither signed it nor was signing it. */
export const decidedOutcome = (
  resource: ResourceStatus,
  { psuId: signer }: LinkedState,
  psuId: string,
): Outcome | undefined => {
  const isSigned = resource.signedBy.includes(psuId);
  if (!isSigned && signer !== psuId) return undefined;
  const isEnded = !isSigned || ['RJCT', 'CANC'].includes(resource.transactionStatus);
  return isEnded ? outcomeOfRefusedStep(resource, psuId) : signedOutcome(resource.signaturesMissing);
};
