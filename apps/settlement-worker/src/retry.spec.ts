import { describe, expect, it } from '@jest/globals';
import { callFailed, dependencyDown } from '@xs2a/domain/failure/failed';
import { isTransientFailure } from '@xs2a/consumers/errors';
import { OutOfStep, toReason, retryAfterSeconds } from './retry.js';

describe('a due payment that failed (architecture, Settlement)', () => {
  it('is retried after 1, 2, 4 … seconds, at most five minutes', () => {
    expect([1, 2, 3, 8, 9, 10, 50].map(retryAfterSeconds)).toEqual([1, 2, 4, 128, 256, 300, 300]);
  });

  it('waits together with all others if a service or the database is down', () => {
    expect(isTransientFailure(dependencyDown())).toBe(true);
    expect(isTransientFailure(Object.assign(new Error('x'), { code: '57P01' }))).toBe(true);
    expect(isTransientFailure(callFailed('internal'))).toBe(false);
    expect(isTransientFailure(new OutOfStep('x'))).toBe(false);
  });

  it('has a reason for the operator that contains no payment data', () => {
    expect(toReason(callFailed('internal'))).toBe('internal');
    expect(toReason(new TypeError('BG25XSBK92001000000001'))).toBe('TypeError');
    expect(toReason(Object.assign(new Error('Key (iban)=(BG25)'), { code: '23505' }))).toBe('Error 23505');
  });
});
