import { describe, expect, it } from '@jest/globals';
import { atMost } from './at-most.js';

describe('waiting for work that may never end', () => {
  it('ends with the work, with its error, or when the time is over', async () => {
    await expect(atMost(60_000, Promise.resolve('done'))).resolves.toBeUndefined();
    await expect(atMost(60_000, Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    await expect(atMost(1, new Promise(() => undefined))).resolves.toBeUndefined();
  });
});
