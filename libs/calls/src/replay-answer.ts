import { CallFailed, callFailed, dependencyDown } from '@xs2a/domain/failure/failed';

/**
 * Answers a request that must not be executed. Returns the answer to the first request with its idempotency key,
 * or throws CallFailed (`idempotencyKeyReused`, `firstAttemptUnderWay` with Retry-After; `dependencyDown` after a
 * conflict). Contract 2.
 */
export const replayAnswer = <Answer>(
  outcome: { readonly replay: unknown } | 'key-reused' | 'under-way' | 'conflict',
): Answer => {
  if (typeof outcome === 'object') return outcome.replay as Answer;
  if (outcome === 'key-reused') throw callFailed('idempotencyKeyReused');
  if (outcome === 'under-way') throw new CallFailed([{ failure: 'firstAttemptUnderWay', retryAfter: 1 }]);
  throw dependencyDown();
};
