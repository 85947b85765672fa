import { describe, expect, it } from '@jest/globals';
import { maxEntriesTogether } from '@xs2a/contracts/baskets.contract';
import * as fc from 'fast-check';
import { countEntries, groupIntoPages } from './entry-pages.js';

describe('the pages that list the payments of a basket (contract 12)', () => {
  it('contain every payment once and in order, never split one across pages, and hold as many as fit', () => {
    const size = fc.oneof(fc.constant(1), fc.integer({ min: 2, max: maxEntriesTogether }));
    fc.assert(
      fc.property(fc.array(size, { maxLength: 10 }), (sizes) => {
        const payments = sizes.map((numberOfPayments, at) => ({ at, numberOfPayments }));
        const pages = groupIntoPages(payments);
        expect(pages.flat()).toEqual(payments);
        for (const [at, page] of pages.entries()) {
          expect(countEntries(page)).toBeLessThanOrEqual(maxEntriesTogether);
          const [next] = pages[at + 1] ?? [];
          if (next !== undefined) expect(countEntries([...page, next])).toBeGreaterThan(maxEntriesTogether);
        }
      }),
    );
  });
});
