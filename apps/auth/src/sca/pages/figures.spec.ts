import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { accountFigure, amountFigure } from './figures.js';

const reader = (language: 'bg' | 'en', profile: 'sandbox' | 'bg-euro') => ({
  language,
  profile: makeProfile(profile),
});

describe('figures on the pages (contract 12)', () => {
  it('show the largest amount that can be booked without rounding', () => {
    const { text } = amountFigure({ minor: 9_007_199_254_740_991, currency: 'BGN' }, reader('bg', 'sandbox'));
    expect(text).toContain('value="90071992547409.91 BGN"');
  });

  it('show amounts in euro in the notation of a bank in euro only there (contract E7.1)', () => {
    const text = (...reads: Parameters<typeof reader>): string =>
      amountFigure({ minor: 123_450, currency: 'EUR' }, reader(...reads)).text.replaceAll(/<[^>]*>/g, '');
    expect(text('bg', 'bg-euro')).toBe('1\u00a0234,50\u00a0€');
    expect(text('en', 'bg-euro')).toBe('€1,234.50');
    expect(text('bg', 'sandbox')).toBe('1234,50\u00a0€');
    expect(text('en', 'sandbox')).toBe('EUR\u00a01,234.50');
  });

  it('show an account that is not an IBAN exactly as submitted', () => {
    expect(accountFigure('12-34 <5>').text).toBe('<span class="account">12-34 &lt;5&gt;</span>');
    expect(accountFigure('BG26RZBB91551023456789').text).toContain('value="BG26RZBB91551023456789"');
  });
});
