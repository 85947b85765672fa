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

/**
 * Returns the answer of `create`. If `create` refuses the request, another copy of it may have been answered since
 * its idempotency key was looked up, and may be the reason. The key is therefore looked up again, and the answer to
 * that copy is returned. Throws the refusal if there is none.
 */
export const createOrReplay = async <Answer>(
  create: () => Promise<Answer>,
  findEarlier: () => Promise<Parameters<typeof replayAnswer>[0] | undefined>,
): Promise<Answer> => {
  try {
    return await create();
  } catch (error) {
    const earlier = error instanceof CallFailed ? await findEarlier() : undefined;
    if (earlier === undefined) throw error;
    return replayAnswer<Answer>(earlier);
  }
};
