import { describe, expect, it } from '@jest/globals';
import { waitAtMost } from './wait-at-most.js';

describe('waiting for work that may never finish', () => {
  it('ends when the work ends, fails when the work fails, and stops at the time limit', async () => {
    await expect(waitAtMost(60_000, Promise.resolve('done'))).resolves.toBeUndefined();
    await expect(waitAtMost(60_000, Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    await expect(waitAtMost(1, new Promise(() => undefined))).resolves.toBeUndefined();
  });
});
