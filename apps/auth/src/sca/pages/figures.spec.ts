import { describe, expect, it } from '@jest/globals';
import { accountFigure, amountFigure } from './figures.js';

describe('figures of the domain on the pages (contract 12)', () => {
  it('the largest amount that can be booked is shown exactly', () => {
    const { text } = amountFigure({ minor: 9_007_199_254_740_991, currency: 'BGN' }, 'bg');
    expect(text).toContain('value="90071992547409.91 BGN"');
  });

  it('an account that is no IBAN is shown as it was named', () => {
    expect(accountFigure('12-34 <5>').text).toBe('<span class="account">12-34 &lt;5&gt;</span>');
    expect(accountFigure('BG26RZBB91551023456789').text).toContain('value="BG26RZBB91551023456789"');
  });
});
