import { CallFailed } from '@xs2a/domain/failure/failed';
import { shareExceeded } from '../shares/share-requests.js';
import type { Check } from './check.js';

const exceeded = (): CallFailed => new CallFailed([shareExceeded]);

/**
 * The client address must have capacity for this request (contract 3):
 * - too many requests or bytes from this address are in progress without a verified token: 429 `ACCESS_EXCEEDED`,
 * before a signature is checked.
 */
export const checkShareOfAddress: Check = ({ request: { share } }) => {
  if (share?.isExceeded === true) throw exceeded();
};

/**
 * Limits how many TPPs one client address registers in a sandbox (contract 13):
 * - more than sixty registrations at once, or then more than one in five seconds: 429 `ACCESS_EXCEEDED`, before the
 *   body is read.
 */
export const checkRegistrations: Check = ({ request, edge, sources }) => {
  if (edge.endpoint !== 'registerTpp') return;
  const retryAfter = sources.secondsToWaitForRegistration(request);
  if (retryAfter !== undefined) throw new CallFailed([{ failure: 'registrationsExceeded', retryAfter }]);
};

/**
 * The TPP of a verified token must have capacity for this request (contract 3):
 * - it has too many requests or bytes in progress: 429 `ACCESS_EXCEEDED`, before the body is read.
 */
export const checkShareOfTpp: Check = ({ request: { share, caller } }) => {
  if (share !== undefined && caller !== undefined && !share.moveTo(caller.token.clientId)) throw exceeded();
};
