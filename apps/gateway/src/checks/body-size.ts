import { callFailed } from '@xs2a/domain/failure/failed';
import type { Check } from './check.js';

/**
 * A body is within the limit of its endpoint:
 * - `Content-Length` is above it: 413 `FORMAT_ERROR`, before a byte of the body is read.
 * - a body of unknown length is stopped by Fastify at the same limit (`edge.ts`).
 */
export const checkBodySize: Check = ({ request: { headers }, edge: { rule } }) => {
  if (rule.bodyLimit !== undefined && Number(headers['content-length'] ?? 0) > rule.bodyLimit)
    throw callFailed('bodyTooLarge');
};
