import { expect, it } from '@jest/globals';
import { bytesText } from './bytes.js';

it('rounds up, so that a small size is not shown as zero', () => {
  expect([bytesText(1), bytesText(999_000_001), bytesText(2.34e9)]).toEqual(['1 MB', '1000 MB', '2.3 GB']);
});
