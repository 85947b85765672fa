import { CallFailed } from '@xs2a/domain/failure/failed';
import type { Check } from './check.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** True if the TPP planned that it gets no answer to this call. */
    losesAnswer: boolean;
  }
}

/**
 * Fails the call if its TPP planned that (contract 13, only in a sandbox): 503 for `unavailable`, 429 for
 * `too-many-requests`. For `lost-answer` the call goes through, and the connection is closed in place of the answer. Runs
 * last before the body is read, so that a call that is refused earlier does not use up a fault.
 */
export const checkPlannedFault: Check = async ({ request, edge, sources: { faults } }) => {
  const { caller } = request;
  if (faults === undefined || caller === undefined) return;
  const outcome = await faults.take(caller.token.clientId, edge.endpoint);
  if (outcome === 'unavailable') throw new CallFailed([{ failure: 'plannedUnavailable', retryAfter: 1 }]);
  if (outcome === 'too-many-requests')
    throw new CallFailed([{ failure: 'plannedTooManyRequests', retryAfter: 1 }]);
  request.losesAnswer = outcome === 'lost-answer';
};
