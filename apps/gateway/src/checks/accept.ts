import { callFailed } from '@xs2a/domain/failure/failed';
import type { Check } from './check.js';
import { acceptsJson } from './content-negotiation.js';

/**
 * The client must accept `application/json` responses (RFC 9110 §12.5.1):
 * - `Accept` excludes it: 406 `REQUESTED_FORMATS_INVALID`.
 */
export const checkAccept: Check = ({ request: { headers } }) => {
  if (!acceptsJson(headers.accept)) throw callFailed('acceptExcludesJson', 'Accept');
};
