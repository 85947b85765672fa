import { CallFailed } from '@xs2a/domain/failure/failed';
import type { Language } from '../catalogue/catalogue.js';
import type { EndView } from '../pages/end-pages.js';
import type { AuthorisationRequest, Closed } from './authorisation-request.js';

/** Opens the authorisation request for the signed-in PSU, or for an unknown PSU. */
export type Open = (psuId?: string) => Promise<AuthorisationRequest | Closed>;

/** Returns what the last page shows besides the outcome; nothing if the service that knows it does not answer. */
export const findEnd = async (
  open: Open,
  psuId: string,
  language: Language,
  signedAt: string | undefined,
): Promise<Pick<EndView, 'receipt' | 'instantEnd'>> => {
  try {
    const found = await open(psuId);
    if (!('closed' in found)) return {};
    return { receipt: found.receipt?.(psuId, language, signedAt), instantEnd: found.instantEnd };
  } catch (error) {
    if (error instanceof CallFailed) return {};
    throw error;
  }
};
