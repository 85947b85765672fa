import { describe, expect, it } from '@jest/globals';
import { accountFigure, amountFigure } from './figures.js';

describe('figures on the pages (contract 12)', () => {
  it('show the largest amount that can be booked without rounding', () => {
    const { text } = amountFigure({ minor: 9_007_199_254_740_991, currency: 'BGN' }, 'bg');
    expect(text).toContain('value="90071992547409.91 BGN"');
  });

  it('show an account that is not an IBAN exactly as submitted', () => {
    expect(accountFigure('12-34 <5>').text).toBe('<span class="account">12-34 &lt;5&gt;</span>');
    expect(accountFigure('BG26RZBB91551023456789').text).toContain('value="BG26RZBB91551023456789"');
  });
});
