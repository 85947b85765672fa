import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import { listSigners } from '@xs2a/domain/sca/authorisations';

/**
 * The holder of a consent is a PSU or a corporate. A new consent replaces older ones of the same holder, and
 * appears in that holder's list.
 */
export const psuHolder = (psuId: string): string => `psu:${psuId}`;
export const corporateHolder = (corporateId: string): string => `corporate:${corporateId}`;

/** Returns the holder of a consent. Undefined until a PSU has signed it, unless it belongs to a corporate. */
export const findHolder = (state: ConsentState): string | undefined => {
  if (state.corporateId !== undefined) return corporateHolder(state.corporateId);
  const signer = listSigners(state).at(-1);
  return signer === undefined ? undefined : psuHolder(signer);
};
