import { callFailed } from '@xs2a/domain/failure/failed';
import { parsePath } from '../edge/public-path.js';
import type { Check } from './check.js';

/**
 * The path is one of `endpoint-rules.ts`, segment for segment (contract 1). The router has found its endpoint; but
 * - it takes an empty segment for a parameter, which for us is another path: 404 `RESOURCE_UNKNOWN`.
 */
export const checkPath: Check = ({ request }) => {
  const path = parsePath(request.url);
  if (path.endsWith('/') || path.includes('//')) throw callFailed('pathUnknown');
};
