import { describe, expect, it } from '@jest/globals';
import { contrast, parseBankBrand } from './bank-brand.js';

const brand = {
  bic: 'XSBKBGSF',
  name: { bg: 'Банка', en: 'Bank' },
  colour: '#0b5c8a',
  colourOnDark: '#7cc3ee',
  logo: 'M12 2 22 8v2H2V8z',
};

describe('the branding of the bank on its pages (contract 12)', () => {
  it('is read unchanged from the profile', () => {
    expect(parseBankBrand(brand)).toEqual(brand);
  });

  it.each([
    ['a colour that cannot be read on white', { colour: '#7cc3ee' }],
    ['a colour that cannot be read on dark', { colourOnDark: '#0b5c8a' }],
    ['more than a single colour', { colour: '#0b5c8a;} body{display:none' }],
    ['a logo that is more than a path', { logo: 'M0 0"/><script>' }],
    ['a BIC without a valid country', { bic: 'XSBKXXSF' }],
    ['a name in one language', { name: { bg: 'Банка' } }],
    ['a token nobody knows', { font: 'Comic Sans' }],
  ])('is refused with %s', (_what, change) => {
    expect(parseBankBrand({ ...brand, ...change })).toBeUndefined();
  });

  it('is checked with the WCAG contrast, which is 21 for black on white and 1 for identical colours', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#0b5c8a', '#0b5c8a')).toBe(1);
  });
});
