import { callFailed } from '@xs2a/domain/failure/failed';
import type { Check } from './check.js';

/**
 * The body must be within the size limit of its endpoint:
 * - `Content-Length` exceeds it: 413 `FORMAT_ERROR`, before a byte of the body is read.
 * - Fastify stops a body of undeclared length at the same limit (`edge.ts`).
 */
export const checkBodySize: Check = ({ request: { headers }, edge: { rule } }) => {
  if (rule.bodyLimit !== undefined && Number(headers['content-length'] ?? 0) > rule.bodyLimit)
    throw callFailed('bodyTooLarge');
};
