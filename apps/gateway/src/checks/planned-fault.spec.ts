import { describe, expect, it } from '@jest/globals';
import type { PlannedOutcome } from '@xs2a/contracts/sandbox/planned-faults';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { failures } from '@xs2a/domain/failure/failures';
import { checkPlannedFault } from './planned-fault.js';

/** Returns the error of a call for which its TPP planned the outcome. */
const errorFor = async (outcome: PlannedOutcome): Promise<unknown> => {
  const request = { caller: { token: { clientId: 'tpp' } } };
  const sources = { faults: { take: async () => outcome } };
  const call = { request, edge: { endpoint: 'initiatePayment' }, sources };
  try {
    await checkPlannedFault(call as never);
    return undefined;
  } catch (error) {
    return error;
  }
};

describe('a call for which its TPP planned a failure (contract 13)', () => {
  it.each([
    ['unavailable', 'plannedUnavailable'],
    ['too-many-requests', 'plannedTooManyRequests'],
  ] as const)(
    'is refused with a text that names who planned %s, and when to call again',
    async (outcome, failure) => {
      const error = await errorFor(outcome);
      if (!(error instanceof CallFailed)) throw new Error('not refused');
      expect(error.failures).toEqual([
        {
          failure,
          retryAfter: 1,
        },
      ]);
      expect(failures[failure][2]).toMatch(/^Your TPP planned this failure .*workspace.*Retry-After/);
    },
  );

  it('is not refused if only its answer is to be lost', async () => {
    expect(await errorFor('lost-answer')).toBeUndefined();
  });
});
