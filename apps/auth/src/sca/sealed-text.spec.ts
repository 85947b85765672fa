import { describe, expect, it } from '@jest/globals';
import { openText, sealText } from './sealed-text.js';

describe('a text sealed for a page session', () => {
  it('can be read only with the cookie of that session', () => {
    const sealed = sealText('cookie', 'Мария');
    expect(openText('cookie', sealed)).toBe('Мария');
    expect(openText('another', sealed)).toBeUndefined();
    expect(openText(undefined, sealed)).toBeUndefined();
    expect(openText('cookie', 'AAAA')).toBeUndefined();
    expect(openText('cookie', undefined)).toBeUndefined();
    expect(Buffer.from(sealed ?? '', 'base64url').toString('utf8')).not.toContain('Мария');
  });

  it('differs each time, and is absent for an empty text', () => {
    expect(sealText('cookie', 'a')).not.toBe(sealText('cookie', 'a'));
    expect(sealText('cookie', '')).toBeUndefined();
  });
});
