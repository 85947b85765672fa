import { describe, expect, it } from '@jest/globals';
import { callFailed } from '@xs2a/domain/failure/failed';
import { createOrReplay, replayAnswer } from './replay-answer.js';

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

describe('a request whose idempotency key was not known when it arrived (contract 2)', () => {
  const refused = callFailed('resourceBlocked');
  const refuse = async (): Promise<unknown> => Promise.reject(refused);

  it('gets its own answer', async () => {
    const answer = await createOrReplay(
      async () => 'created',
      async () => ({ replay: 'earlier' }),
    );
    expect(answer).toBe('created');
  });

  it('gets the answer of an identical request that was completed in the meantime, instead of a refusal', async () => {
    expect(await createOrReplay(refuse, async () => ({ replay: 'earlier' }))).toBe('earlier');
  });

  it('is refused if there is no such answer', async () => {
    await expect(createOrReplay(refuse, async () => undefined)).rejects.toBe(refused);
  });

  it('fails with an unexpected error, even if there is such an answer', async () => {
    const error = new Error('the database is down');
    const create = async (): Promise<unknown> => Promise.reject(error);
    await expect(createOrReplay(create, async () => ({ replay: 'earlier' }))).rejects.toBe(error);
  });
});
