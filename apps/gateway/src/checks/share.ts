import { CallFailed } from '@xs2a/domain/failure/failed';
import { shareExceeded } from '../shares/share-requests.js';
import type { Check } from './check.js';

const exceeded = (): CallFailed => new CallFailed([shareExceeded]);

/**
 * The address has room for this request (contract 3):
 * - it has too many requests or bytes under way whose tokens are not verified: 429 `ACCESS_EXCEEDED`, before a signature is checked.
 */
export const checkShareOfAddress: Check = ({ request: { share } }) => {
  if (share?.isExceeded === true) throw exceeded();
};

/**
 * The TPP that a verified token names has room for this request (contract 3):
 * - it has too many requests or bytes under way: 429 `ACCESS_EXCEEDED`, before the body is read.
 */
export const checkShareOfTpp: Check = ({ request: { share, caller } }) => {
  if (share !== undefined && caller !== undefined && !share.moveTo(caller.token.clientId)) throw exceeded();
};
