import type { FailureReason } from '../catalogue/approval-kinds.js';
import type { Outcome } from '../page-sessions.js';
import type { LinkedState } from './linked-state.js';

const failed = (reason: FailureReason): Outcome => ({ kind: 'failed', reason });

export const signedOutcome = (missing: number): Outcome =>
  missing === 0 ? { kind: 'authorised' } : { kind: 'partly', missing };

/** The outcome shown for a step that came too late. `state` is undefined if the resource no longer exists. */
export const outcomeOfRefusedStep = (state: LinkedState | undefined, psuId: string | undefined): Outcome => {
  if (state?.rejectionReason === 'not-authorised-in-time') return failed(state.rejectionReason);
  if (state === undefined || state.isRejected) return failed('no-longer-possible');
  if (state.isCancelled) return failed('terminated-by-tpp');
  if (psuId !== undefined && state.signedBy.includes(psuId))
    return { kind: 'unchanged', reason: 'signed-before' };
  return {
    kind: 'unchanged',
    reason: state.signaturesMissing === 0 ? 'signed-by-another' : 'taken-by-another',
  };
};

/** How a resource ended for this PSU; undefined for a PSU who neither signed it nor was signing it. */
export const decidedOutcome = (state: LinkedState, psuId: string): Outcome | undefined => {
  const isSigned = state.signedBy.includes(psuId);
  if (!isSigned && state.psuId !== psuId) return undefined;
  const isEnded = !isSigned || state.isRejected || state.isCancelled;
  return isEnded ? outcomeOfRefusedStep(state, psuId) : signedOutcome(state.signaturesMissing);
};
