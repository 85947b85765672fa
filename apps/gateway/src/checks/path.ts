import { callFailed } from '@xs2a/domain/failure/failed';
import { parsePath } from '../edge/public-path.js';
import { isPresent } from '../endpoint-rules.js';
import type { Check } from './check.js';

/**
 * The path must match `endpoint-rules.ts` segment by segment (contract 1). The router has already found the
 * endpoint, but it also accepts an empty segment as a parameter:
 * - a segment is empty, which makes this a different path in this API: 404 `RESOURCE_UNKNOWN`;
 * - the endpoint has no path under the bank's profile, which may change when the bank switches to euro: the same.
 */
export const checkPath: Check = ({ request, edge, sources }) => {
  const path = parsePath(request.url);
  const isOther = path.endsWith('/') || path.includes('//');
  if (isOther || !isPresent(edge.rule, sources)) throw callFailed('pathUnknown');
};
