import { describe, expect, it } from '@jest/globals';
import { cacheControlOf } from './kept-file.js';

describe('a file whose address names its version', () => {
  it('is kept by browsers for a year', () => {
    expect(cacheControlOf('0a1b', '0a1b')).toBe('public, max-age=31536000, immutable');
  });

  it('is not kept under the version of another release, or without one', () => {
    for (const asked of ['0a1c', undefined, ['0a1b', '0a1b']])
      expect(cacheControlOf(asked, '0a1b')).toBe('no-cache');
  });
});
