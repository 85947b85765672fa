import { describe, expect, it } from '@jest/globals';
import { accountFigure, amountFigure, amountText } from './figures.js';

const spaced = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');

describe('figures on the pages (contract 12)', () => {
  it.each([
    ['bg', 200, 'BGN', '2,00 лв.'],
    ['en', 200, 'BGN', 'BGN 2.00'],
    ['bg', 123_456_750, 'EUR', '1 234 567,50 €'],
    ['en', 123_456_750, 'EUR', 'EUR 1,234,567.50'],
    ['bg', 12, 'JPY', '12 JPY'],
    ['en', 9_007_199_254_740_991, 'BGN', 'BGN 90,071,992,547,409.91'],
    ['bg', 9_007_199_254_740_991, 'BGN', '90 071 992 547 409,91 лв.'],
  ] as const)('%s: %i minor units of %s are %s', (language, minor, currency, text) => {
    expect(spaced(amountText({ minor, currency }, language))).toBe(text);
  });

  it('an amount and an account also stand there as the API writes them', () => {
    expect(amountFigure({ minor: 200, currency: 'BGN' }, 'bg').text).toContain('value="2.00 BGN"');
    const { text } = accountFigure('BG26RZBB91551023456789');
    expect(text).toContain('value="BG26RZBB91551023456789"');
    expect(text.replaceAll(/<[^>]*>/g, '')).toBe('BG26RZBB91551023456789');
  });

  it('an account that is no IBAN is shown as it was named', () => {
    expect(accountFigure('12-34 <5>').text).toBe('<span class="account">12-34 &lt;5&gt;</span>');
  });
});
