import { describe, expect, it } from '@jest/globals';
import { paymentFrom } from '../payment/evolve-payment.js';
import type { PaymentEvent } from '../payment/payment-events.js';
import type { PaymentState } from '../payment/payment-state.js';
import type { PeriodicSchedule } from '../order/periodic-schedule.js';
import { bulkFrom, signedBulkEvents, signedOrderEvents, single } from '../testing/initiations.js';
import { makeProfile } from '../testing/profiles.js';
import { bgnOrder, signedPaymentEvents } from '../testing/signed-payment.js';
import { findAmountInEuro } from './amount-in-euro.js';

const profile = makeProfile('sandbox');
/** 2026-01-01 00:00 in Sofia. */
const at = '2025-12-31T22:00:00.000Z';
const now = '2025-12-30T10:00:00.000Z';
const paymentId = '0193a3f0-0000-7000-8000-000000000003';
const order = bgnOrder('BG25XSBK92001000000001', 1250, 'BG80BNBG96611020345678');

const mustExist = (events: readonly PaymentEvent[]): PaymentState => {
  const state = paymentFrom(events, now);
  if (state === undefined) throw new Error('no payment');
  return state;
};
const payment = (requestedExecutionDate?: string, change = {}): PaymentState => ({
  ...single(mustExist(signedPaymentEvents({ paymentId, order: { ...order, ...change }, now }, profile))),
  requestedExecutionDate,
});
const orderWith = (schedule: PeriodicSchedule): PaymentState =>
  mustExist(signedOrderEvents({ order, schedule }, { paymentId, now, profile }));
const bulk: PaymentState = {
  ...bulkFrom(signedBulkEvents({ orders: [order, order] }, { paymentId, now, profile })),
  requestedExecutionDate: '2026-01-02',
};

describe('the amount in euro that the review names before the switch-over (contract E6.4)', () => {
  it.each([
    ['a payment for a later day', payment('2026-01-01'), 639],
    ['a payment for today', payment(), undefined],
    ['a payment for the last day of the lev', payment('2025-12-31'), undefined],
    ['a payment in euro', payment('2026-01-01', { amount: { minor: 1, currency: 'EUR' } }), undefined],
    ['an order without an end', orderWith({ startDate: '2025-12-31', frequency: 'Daily' }), 639],
    [
      'an order that ends before',
      orderWith({ startDate: '2025-12-30', frequency: 'Daily', numberOfPayments: 2 }),
      undefined,
    ],
    ['a bulk payment, as the sum of its entries', bulk, 1278],
  ])('is that of %s', (_kind, state, minor) => {
    expect(findAmountInEuro(state, at, now, profile)).toEqual(
      minor === undefined ? undefined : { minor, currency: 'EUR' },
    );
  });

  it('depends on the cut-off: after it, a payment for today is executed on the next banking day', () => {
    const late = '2025-12-31T15:00:00.000Z';
    expect(findAmountInEuro(payment(), at, late, makeProfile('production'))).toEqual({
      minor: 639,
      currency: 'EUR',
    });
  });
});
