import { describe, expect, it } from '@jest/globals';
import { amountFigure, amountText, convertedText, ibanFigure } from './figures.js';

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

describe('figures on the pages of a bank in euro (contract E7.1)', () => {
  it.each([
    ['bg', '1234.50', 'EUR', '1\u00a0234,50\u00a0€'],
    ['bg', '999.50', 'EUR', '999,50\u00a0€'],
    ['bg', '-1234567.50', 'EUR', '-1\u00a0234\u00a0567,50\u00a0€'],
    ['en', '1234.50', 'EUR', '€1,234.50'],
    ['en', '0.05', 'EUR', '€0.05'],
    ['en', '1234.50', 'USD', 'USD\u00a01,234.50'],
    ['bg', '90071992547409.91', 'EUR', '90\u00a0071\u00a0992\u00a0547\u00a0409,91\u00a0€'],
  ] as const)('show, in language %s, the amount %s %s as %s', (language, amount, currency, text) => {
    expect(amountText({ amount, currency }, language, 'EUR')).toBe(text);
    const figure = amountFigure({ amount, currency }, language, 'EUR').text;
    expect(figure).toBe(`<data value="${amount} ${currency}">${text}</data>`);
  });

  it('show a converted amount with the leva from which it was converted', () => {
    const converted = { euro: '51.13', lev: '100.00' };
    expect(convertedText(converted, 'bg')).toBe('51,13\u00a0€ (100,00\u00a0лв.)');
    expect(convertedText(converted, 'en')).toBe('€51.13 (BGN\u00a0100.00)');
  });
});
