import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import { listSigners } from '@xs2a/domain/sca/authorisations';

/**
 * The holder of a consent, a PSU or a corporate: a new consent replaces older ones of the same holder, and is in that
 * holder's list.
 */
export const psuHolder = (psuId: string): string => `psu:${psuId}`;
export const corporateHolder = (corporateId: string): string => `corporate:${corporateId}`;

/** The holder of a consent; undefined while nobody has signed it, unless it is a corporate's. */
export const findHolder = (state: ConsentState): string | undefined => {
  if (state.corporateId !== undefined) return corporateHolder(state.corporateId);
  const signer = listSigners(state).at(-1);
  return signer === undefined ? undefined : psuHolder(signer);
};
