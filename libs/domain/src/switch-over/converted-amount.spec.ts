import { describe, expect, it } from '@jest/globals';
import { evolvePayment, paymentFrom } from '../payment/evolve-payment.js';
import type { PaymentOrder } from '../payment/payment-events.js';
import type { PaymentState } from '../payment/payment-state.js';
import { signedBulkEvents } from '../testing/initiations.js';
import { makeProfile } from '../testing/profiles.js';
import { bgnOrder, signedPaymentEvents } from '../testing/signed-payment.js';
import { convertAmounts } from './convert-order.js';
import { convertedAmounts } from './converted-amount.js';

const profile = makeProfile('sandbox');
const now = '2025-12-30T10:00:00.000Z';
const at = '2025-12-31T22:00:00.000Z';
const paymentId = '0193a3f0-0000-7000-8000-000000000003';
const lev = bgnOrder('BG25XSBK92001000000001', 10_000, 'BG80BNBG96611020345678');
/** A payment in euro from an account in leva, whose debit is converted. */
const fromLeva: PaymentOrder = {
  ...lev,
  amount: { minor: 5000, currency: 'EUR' },
  debit: { minor: 9779, currency: 'BGN' },
};
const amountOf = (currency: string) => ({ instructedAmount: { currency, amount: '1.00' } });

const payment = (order: PaymentOrder): PaymentState => {
  const state = paymentFrom(signedPaymentEvents({ paymentId, order, now }, profile), now);
  if (state === undefined) throw new Error('no payment');
  return { ...state, body: amountOf(order.amount.currency) };
};
const convert = (state: PaymentState, ...orders: readonly PaymentOrder[]): PaymentState =>
  evolvePayment(state, { type: 'converted-to-euro', data: { at, amounts: orders.map(convertAmounts) } }, at);

describe('the converted amount of a payment (contract E6.4)', () => {
  it('is the amount in euro of a payment in leva, once it was converted', () => {
    expect(convertedAmounts(payment(lev))).toEqual([]);
    expect(convertedAmounts(convert(payment(lev), lev))).toEqual([{ minor: 5113, currency: 'EUR' }]);
  });

  it('is absent where the amount was submitted in another currency, and only the debit was converted', () => {
    expect(convertedAmounts(convert(payment(fromLeva), fromLeva))).toEqual([undefined]);
  });

  it('is at each entry of a bulk payment in leva', () => {
    const orders = [lev, { ...lev, amount: { minor: 1250, currency: 'BGN' } }];
    const state = paymentFrom(signedBulkEvents({ orders }, { paymentId, now, profile }), now);
    if (state === undefined) throw new Error('no payment');
    const entriesIn = (...currencies: readonly string[]): PaymentState => ({
      ...convert(state, ...orders),
      body: { payments: currencies.map(amountOf) },
    });
    const [first, second] = [5113, 639].map((minor) => ({ minor, currency: 'EUR' }));
    expect(convertedAmounts(entriesIn('BGN', 'BGN'))).toEqual([first, second]);
    expect(convertedAmounts(entriesIn('EUR', 'BGN'))).toEqual([undefined, second]);
  });
});
