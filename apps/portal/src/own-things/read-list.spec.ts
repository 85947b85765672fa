import { NotFoundException } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { readList } from './read-list.js';

describe('a page of a list in the workspace', () => {
  it('returns 404 without a call to the API if the cursor in its address is longer than any cursor of the API', async () => {
    const send = (): never => {
      throw new Error('the API was called');
    };
    const reading = readList({ send }, { clientId: 'tpp', clientSecret: 's' }, 'payments', "'".repeat(1001));
    await expect(reading).rejects.toThrow(NotFoundException);
  });
});
