import { describe, expect, it } from '@jest/globals';
import { paymentFrom } from '../payment/evolve-payment.js';
import type { PaymentEvent } from '../payment/payment-events.js';
import type { PaymentState } from '../payment/payment-state.js';
import { decideSettlementSteps } from '../payment/settlement/steps.js';
import { signedBulkEvents, signedOrderEvents } from '../testing/initiations.js';
import { makeProfile } from '../testing/profiles.js';
import { bgnOrder, signedPaymentEvents } from '../testing/signed-payment.js';
import { type AccountBefore, forecastSwitchOver } from './forecast.js';

const profile = makeProfile('sandbox');
/** 2026-01-01 00:00 in Sofia. */
const at = '2025-12-31T22:00:00.000Z';
const now = '2025-12-30T10:00:00.000Z';
const [ivan, maria] = ['BG25XSBK92001000000001', 'BG03XSBK92001000000002'];
const elsewhere = 'BG80BNBG96611020345678';
const id = (number: number): string => `0193a3f0-0000-7000-8000-${String(number).padStart(12, '0')}`;

const mustExist = (events: readonly PaymentEvent[]): PaymentState => {
  const state = paymentFrom(events, now);
  if (state === undefined) throw new Error('no payment');
  return state;
};
const payment = (number: number, minor: number, from = ivan, to = elsewhere): PaymentState =>
  mustExist(signedPaymentEvents({ paymentId: id(number), order: bgnOrder(from, minor, to), now }, profile));
const account = (iban: string, balance: number, change: Partial<AccountBefore> = {}): AccountBefore => ({
  iban,
  balance,
  currency: 'BGN',
  isEnabled: true,
  creditLimit: 0,
  held: 0,
  ...change,
});
const order = (startDate: string, numberOfPayments: number): PaymentState =>
  mustExist(
    signedOrderEvents(
      {
        order: bgnOrder(ivan, 1000, elsewhere),
        schedule: { startDate, frequency: 'Daily', numberOfPayments },
      },
      { paymentId: id(90), now, profile },
    ),
  );

describe('the forecast of a switch-over (contract E6.5)', () => {
  it('settles what is due before in the order of time, as far as the funds reach', () => {
    const due = [payment(1, 6000, ivan, maria), payment(2, 5000), payment(3, 1000)];
    const { accounts, payments } = forecastSwitchOver(
      due.toReversed(),
      [account(ivan, 10_000), account(maria, 1)],
      at,
      profile,
    );
    expect(payments.settledBefore).toBe(2);
    // 30.00 and 60.01 leva are left.
    expect(accounts).toEqual({ converted: 2, bgn: 9001, eur: 1534 + 3068, roundingDifference: 0 });
  });

  it('settles what is due before in other currencies too', () => {
    const inEuro = signedPaymentEvents(
      {
        paymentId: id(1),
        order: { ...bgnOrder(ivan, 1000, elsewhere), amount: { minor: 1000, currency: 'EUR' } },
        now,
      },
      profile,
    );
    const of = (balance: number) =>
      forecastSwitchOver([mustExist(inEuro)], [account(ivan, balance, { currency: 'EUR' })], at, profile);
    expect(of(1000).payments).toMatchObject({ settledBefore: 1, converted: 0 });
    expect(of(999).payments.settledBefore).toBe(0);
  });

  it('posts what is held already, and does not count its money twice', () => {
    const state = payment(1, 6000);
    const held = decideSettlementSteps(
      state,
      [{ step: 'settlement-started', holdId: 'h', transactionId: 't' }],
      now,
      profile,
    ).state;
    const { accounts, payments } = forecastSwitchOver(
      [held, payment(2, 5000)],
      [account(ivan, 10_000, { held: 6000 })],
      at,
      profile,
    );
    expect([payments.settledBefore, accounts.bgn]).toEqual([1, 4000]);
  });

  it('pays every occurrence that is due before, and converts the order if another one follows', () => {
    const two = forecastSwitchOver([order('2025-12-30', 2)], [account(ivan, 10_000)], at, profile);
    expect([two.payments.settledBefore, two.payments.orders, two.accounts.bgn]).toEqual([2, 0, 8000]);
    const three = forecastSwitchOver([order('2025-12-30', 3)], [account(ivan, 10_000)], at, profile);
    expect([three.payments.settledBefore, three.payments.orders, three.accounts.bgn]).toEqual([2, 1, 8000]);
  });

  it('pays each entry of a bulk payment for which there is money', () => {
    const orders = [6000, 5000, 1000].map((minor) => bgnOrder(ivan, minor, elsewhere));
    const bulk = mustExist(signedBulkEvents({ orders }, { paymentId: id(1), now, profile }));
    const { payments, accounts } = forecastSwitchOver([bulk], [account(ivan, 10_000)], at, profile);
    expect([payments.settledBefore, accounts.bgn]).toEqual([2, 3000]);
  });

  it('leaves accounts in other currencies out, and rounds each account for itself', () => {
    const { accounts } = forecastSwitchOver(
      [],
      [account(ivan, 1), account(maria, 1), account('BG04', 5000, { currency: 'EUR' })],
      at,
      profile,
    );
    expect(accounts).toEqual({ converted: 2, bgn: 2, eur: 2, roundingDifference: 1 });
  });
});
