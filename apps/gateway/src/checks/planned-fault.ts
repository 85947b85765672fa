import { CallFailed } from '@xs2a/domain/failure/failed';
import { fail } from '@xs2a/domain/failure/failures';
import type { Check } from './check.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** True if the TPP planned that it gets no answer to this call. */
    losesAnswer: boolean;
  }
}

const planned = 'Planned with POST /sandbox/faults.';

/**
 * The TPP must not have planned that the call fails (contract 13, only in a sandbox). Runs when everything before the body is in
 * order, so that only calls are hit that would otherwise be done:
 * - `unavailable`: 503 `INTERNAL_SERVER_ERROR`; `too-many-requests`: 429 `ACCESS_EXCEEDED`.
 */
export const checkPlannedFault: Check = async ({ request, edge, sources: { faults } }) => {
  const { caller } = request;
  if (faults === undefined || caller === undefined) return;
  const outcome = await faults.take(caller.token.clientId, edge.endpoint);
  if (outcome === 'unavailable')
    throw new CallFailed([{ ...fail('dependencyDown', undefined, planned), retryAfter: 1 }]);
  if (outcome === 'too-many-requests')
    throw new CallFailed([{ ...fail('shareExceeded', undefined, planned), retryAfter: 1 }]);
  request.losesAnswer = outcome === 'lost-answer';
};
