import { describe, expect, it } from '@jest/globals';
import { replayAnswer } from './replay-answer.js';

describe('a request whose idempotency key is known (contract 2)', () => {
  it('gets the answer to the first request', () => {
    expect(replayAnswer({ replay: { paymentId: '1' } })).toEqual({ paymentId: '1' });
  });

  it.each([
    ['the key was used with another body', 'key-reused', { failure: 'idempotencyKeyReused' }],
    ['the first request is in progress', 'under-way', { failure: 'firstAttemptUnderWay', retryAfter: 1 }],
    ['there were too many conflicts', 'conflict', { failure: 'dependencyDown', retryAfter: 1 }],
  ] as const)('is refused if %s', (_, outcome, failure) => {
    expect(() => replayAnswer(outcome)).toThrow(
      expect.objectContaining({ failures: [expect.objectContaining(failure)] }),
    );
  });
});
