import { callFailed } from '@xs2a/domain/failure/failed';
import { parsePath } from '../edge/public-path.js';
import type { Check } from './check.js';

/**
 * The path must match `endpoint-rules.ts` segment by segment (contract 1). The router has already found the
 * endpoint, but it also accepts an empty segment as a parameter:
 * - a segment is empty, which makes this a different path in this API: 404 `RESOURCE_UNKNOWN`.
 */
export const checkPath: Check = ({ request }) => {
  const path = parsePath(request.url);
  if (path.endsWith('/') || path.includes('//')) throw callFailed('pathUnknown');
};
