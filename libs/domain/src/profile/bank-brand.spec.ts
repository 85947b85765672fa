import { describe, expect, it } from '@jest/globals';
import { contrast, parseBankBrand } from './bank-brand.js';

const brand = {
  bic: 'XSBKBGSF',
  name: { bg: 'Банка', en: 'Bank' },
  colour: '#0b5c8a',
  colourOnDark: '#7cc3ee',
  logoFile: 'brand/bank.svg',
  favicon: 'brand/tab.ico',
  phone: '0700 12 345',
  helpUrl: 'https://bank.example/help',
  privacyUrl: '/privacy',
};

describe('the branding of the bank on its pages (contract 12)', () => {
  it('is read unchanged from the profile', () => {
    expect(parseBankBrand(brand)).toEqual(brand);
  });

  it('needs no icon for the tab and no links', () => {
    const { favicon: _icon, helpUrl: _help, privacyUrl: _privacy, ...least } = brand;
    expect(parseBankBrand(least)).toEqual(least);
  });

  it.each([
    ['a colour that cannot be read on white', { colour: '#7cc3ee' }],
    ['a colour that cannot be read on dark', { colourOnDark: '#0b5c8a' }],
    ['more than a single colour', { colour: '#0b5c8a;} body{display:none' }],
    ['a logo outside the folder of the profile', { logoFile: '../keys/logo.svg' }],
    ['a logo that is not a picture', { logoFile: 'logo.html' }],
    ['a number that cannot be dialled', { phone: 'call us' }],
    ['no number to call', { phone: undefined }],
    ['a help page without https', { helpUrl: 'http://bank.example/help' }],
    ['a help page that is a script', { helpUrl: 'javascript:alert(1)' }],
    ['a privacy page on another host, named as a path', { privacyUrl: '//other.example' }],
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
