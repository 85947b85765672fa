import { describe, expect, it } from '@jest/globals';
import { bgnOrder } from '../testing/signed-payment.js';
import { convertAmounts, isInLeva } from './convert-order.js';

const order = bgnOrder('BG25XSBK92001000000001', 10_000, 'BG80BNBG96611020345678');
const lev = (minor: number) => ({ minor, currency: 'BGN' });
const euro = (minor: number) => ({ minor, currency: 'EUR' });

describe('the amounts of an order at the switch-over (contract E6.3)', () => {
  it('converts the amount and the fee, each by itself', () => {
    expect(convertAmounts({ ...order, fee: lev(150) })).toEqual({ amount: euro(5113), fee: euro(77) });
  });

  it('converts the debit of a payment in another currency, and its rate with it', () => {
    const dollars = { ...order, amount: { minor: 10_000, currency: 'USD' }, debit: lev(17_000), rate: '1.7' };
    expect(convertAmounts(dollars)).toEqual({
      amount: dollars.amount,
      debit: euro(8692),
      rate: '0.869196',
    });
  });

  it('keeps the debit in euro that the customer approved for a payment in leva', () => {
    const fromEuro = { ...order, debit: euro(5120), rate: '0.512' };
    expect(convertAmounts(fromEuro)).toEqual({ amount: euro(5113), debit: euro(5120), rate: '1.001385' });
  });

  it('needs no exchange any more if the debit equals the amount', () => {
    const inEuro = { ...order, amount: euro(5113), debit: lev(10_000), rate: '1.95583' };
    expect(convertAmounts(inEuro)).toEqual({ amount: euro(5113) });
  });

  it.each([
    [{ amount: lev(1) }, true],
    [{ amount: euro(1), debit: lev(2) }, true],
    [{ amount: lev(2), debit: euro(1) }, true],
    [{ amount: euro(1) }, false],
    [{ amount: euro(1), debit: { minor: 1, currency: 'USD' } }, false],
  ])('is due for %j: %s', (amounts, expected) => {
    expect(isInLeva(amounts)).toBe(expected);
  });
});
