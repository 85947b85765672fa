import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import { signersOf } from '@xs2a/domain/sca/authorisations';

/** Whose consents stand in the place of older ones, and in whose list they are: a PSU's or a corporate's. */
export const psuHolder = (psuId: string): string => `psu:${psuId}`;
export const corporateHolder = (corporateId: string): string => `corporate:${corporateId}`;

/** Undefined: nobody has signed it yet, and it is about no corporate. */
export const holderOf = (state: ConsentState): string | undefined => {
  if (state.corporateId !== undefined) return corporateHolder(state.corporateId);
  const signer = signersOf(state).at(-1);
  return signer === undefined ? undefined : psuHolder(signer);
};
