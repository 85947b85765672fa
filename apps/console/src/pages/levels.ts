/**
 * How urgent something is, which is also its colour. `problem` (red): customers or TPPs notice it now; `attention` (amber): it
 * needs a person soon; `good` (green): it succeeded or is well; `neutral` (grey): everything else, also a refusal or an end
 * that somebody wanted.
 */
export type Level = 'good' | 'attention' | 'problem' | 'neutral';

const good = new Set(['ACSC', 'ACCC', 'ACFC', 'valid']);

/** The level of the status of a payment, a signing basket or a consent. Null is a state that the lifecycle does not have. */
export const levelOf = (status: string | null): Level => {
  if (status === null) return 'problem';
  return good.has(status) ? 'good' : 'neutral';
};
