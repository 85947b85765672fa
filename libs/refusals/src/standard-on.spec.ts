import { describe, expect, it } from '@jest/globals';
import { standardOn } from './standard-on.js';

describe('the standard that the explanation of a call is about', () => {
  it('is the one of the bank on that day', () => {
    expect(standardOn({ standard: 'lev' }, '2026-11-20')).toBe('lev');
    const switched = { standard: 'euro', levEnd: '2026-01-01' } as const;
    expect(standardOn(switched, '2025-12-31')).toBe('lev');
    expect(standardOn(switched, '2026-01-01')).toBe('euro');
  });
});
