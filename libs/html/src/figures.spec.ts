import { describe, expect, it } from '@jest/globals';
import { amountFigure, amountText, ibanFigure } from './figures.js';

const spaced = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');

describe('figures on pages (contract 12)', () => {
  it.each([
    ['bg', '2.00', 'BGN', '2,00 лв.'],
    ['en', '2.00', 'BGN', 'BGN 2.00'],
    ['bg', '-1234567.50', 'EUR', '-1 234 567,50 €'],
    ['en', '1234567.50', 'EUR', 'EUR 1,234,567.50'],
    ['bg', '12', 'JPY', '12 JPY'],
    ['en', '90071992547409.91', 'BGN', 'BGN 90,071,992,547,409.91'],
    ['bg', '90071992547409.91', 'BGN', '90 071 992 547 409,91 лв.'],
  ] as const)('show, in language %s, the amount %s %s as %s', (language, amount, currency, text) => {
    expect(spaced(amountText({ amount, currency }, language))).toBe(text);
  });

  it('include the API format of an amount and of an account', () => {
    expect(amountFigure({ amount: '2.00', currency: 'BGN' }, 'bg').text).toContain('value="2.00 BGN"');
    const { text } = ibanFigure('BG26RZBB91551023456789');
    expect(text).toContain('value="BG26RZBB91551023456789"');
    expect(text.replaceAll(/<[^>]*>/g, '')).toBe('BG26RZBB91551023456789');
  });
});
