import { describe, expect, it } from '@jest/globals';
import { computedHolidays } from '../time/holiday-calendars.js';
import { cancelPayment } from '../payment/decide-payment.js';
import { evolvePayment, paymentFrom } from '../payment/evolve-payment.js';
import type { PaymentEvent, PaymentOrder } from '../payment/payment-events.js';
import { listOrders, type PaymentState } from '../payment/payment-state.js';
import { dueTransactions, nextDueAt } from '../payment/settlement/due.js';
import { decideSettlementSteps, type NumberedStep } from '../payment/settlement/steps.js';
import type { PeriodicSchedule } from '../order/periodic-schedule.js';
import { signedBulkEvents, signedOrderEvents } from '../testing/initiations.js';
import { makeProfile } from '../testing/profiles.js';
import { bgnOrder, signedPaymentEvents } from '../testing/signed-payment.js';
import { lacksTaxpayer, type SwitchOver, switchOverStep, switchPayment } from './convert-payment.js';

const profile = makeProfile('sandbox');
/** 2026-01-01 00:00 in Sofia. */
const at = '2025-12-31T22:00:00.000Z';
const signedAt = '2025-12-30T10:00:00.000Z';
const paymentId = '0193a3f0-0000-7000-8000-000000000003';
const order = bgnOrder('BG25XSBK92001000000001', 10_000, 'BG80BNBG96611020345678');
const signing = { paymentId, now: signedAt, profile };
const target = {
  timeZone: 'Europe/Sofia',
  bankingDays: 'every-day',
  holidays: computedHolidays('TARGET'),
} as const;
const switchOver: SwitchOver = { at, target };
const weekdays: SwitchOver = { at, target: { ...target, bankingDays: 'weekdays' } };

const mustExist = (events: readonly PaymentEvent[]): PaymentState => {
  const state = paymentFrom(events, signedAt);
  if (state === undefined) throw new Error('no payment');
  return state;
};
const decide = (state: PaymentState, with_ = switchOver): readonly PaymentEvent[] | string => {
  const decision = switchPayment(state, with_);
  return 'refused' in decision ? decision.refused.failure : decision.events;
};
const evolved = (state: PaymentState, events: readonly PaymentEvent[]): PaymentState =>
  events.reduce((next, event) => evolvePayment(next, event, at), state);
const converted = (state: PaymentState, with_ = switchOver): PaymentState => {
  const events = decide(state, with_);
  if (typeof events === 'string') throw new Error(events);
  return evolved(state, events);
};
const settled = (state: PaymentState, ...steps: readonly NumberedStep[]): PaymentState => {
  const decided = decideSettlementSteps(state, steps, signedAt, profile);
  expect(decided.refusedSteps).toEqual([]);
  return decided.state;
};
const held = (number?: number): NumberedStep => ({
  step: 'settlement-started',
  number,
  holdId: 'hold',
  transactionId: 'entry',
});
const posted = (number?: number): NumberedStep => ({ step: 'settled', number, postingId: 'post' });

const paymentEvents = (change: Partial<PaymentOrder> = {}): readonly PaymentEvent[] =>
  signedPaymentEvents({ paymentId, order: { ...order, ...change }, now: signedAt }, profile);
/** A payment signed on 30 December for a later day. */
const signedFor = (executionDate: string, dueAt: string, change: Partial<PaymentOrder> = {}): PaymentState =>
  mustExist(
    paymentEvents(change).map((event) =>
      event.type === 'signed' ? { ...event, data: { ...event.data, executionDate, dueAt } } : event,
    ),
  );
const later = signedFor('2026-01-05', '2026-01-04T22:00:00.000Z');
const orderWith = (schedule: PeriodicSchedule): PaymentState =>
  mustExist(signedOrderEvents({ order, schedule }, signing));
const bulk = (): PaymentState => {
  const orders = [order, { ...order, amount: { minor: 1250, currency: 'BGN' } }];
  const events = signedBulkEvents({ orders }, signing);
  return mustExist(
    events.map((event) =>
      event.type === 'signed'
        ? {
            ...event,
            data: { ...event.data, executionDate: '2026-01-05', dueAt: '2026-01-04T22:00:00.000Z' },
          }
        : event,
    ),
  );
};

describe('payments that are due before the switch-over (contract E6.3)', () => {
  const today = mustExist(paymentEvents());
  it.each([
    ['a signed payment', today],
    ['a payment in ACSP', settled(today, held())],
    ['an order whose occurrence is due', orderWith({ startDate: '2025-12-31', frequency: 'Monthly' })],
    [
      'an order whose occurrence is held',
      settled(orderWith({ startDate: '2025-12-31', frequency: 'Monthly' }), held(1)),
    ],
    ['a bulk payment', mustExist(signedBulkEvents({ orders: [order, order] }, signing))],
    [
      'a bulk payment of which one entry is paid',
      settled(mustExist(signedBulkEvents({ orders: [order, order] }, signing)), held(1), posted(1)),
    ],
  ])('are settled first: %s', (_kind, state) => {
    expect(switchOverStep(state, at)).toBe('settle');
    expect(decide(state)).toBe('statusForbidsSettlement');
  });

  it('leave the next occurrence of their order to be converted', () => {
    const first = orderWith({ startDate: '2025-12-31', frequency: 'Monthly' });
    const state = settled(first, held(1), posted(1));
    expect(switchOverStep(state, at)).toBe('convert');
    expect(converted(state)).toMatchObject({ status: 'ACSP', order: { amount: { minor: 5113 } } });
  });
});

describe('signed payments that are due at or after the switch-over (contract E6.3)', () => {
  it('have their amount and fee in euro, and keep their day, body and status', () => {
    const state = signedFor('2026-01-05', at, { fee: { minor: 150, currency: 'BGN' } });
    const { order: euro, ...kept } = { order, ...converted(state) };
    expect(euro).toEqual({
      ...order,
      amount: { minor: 5113, currency: 'EUR' },
      fee: { minor: 77, currency: 'EUR' },
    });
    expect(kept).toMatchObject({ convertedAt: at, status: 'ACCP', body: state.body });
    expect(nextDueAt(converted(state))).toBe(at);
  });

  it('have each entry of a bulk payment in euro, and the sum of these as total', () => {
    const state = converted(bulk());
    expect(listOrders(state).map(({ amount }) => amount)).toEqual([
      { minor: 5113, currency: 'EUR' },
      { minor: 639, currency: 'EUR' },
    ]);
    expect(dueTransactions(state, { fees: [] }).map(({ transactionStatus }) => transactionStatus)).toEqual([
      'ACCP',
      'ACCP',
    ]);
  });

  it('have the order in euro, for every later occurrence', () => {
    const state = converted(orderWith({ startDate: '2026-02-02', frequency: 'Monthly' }));
    expect(dueTransactions(state, { fees: [] })).toMatchObject([
      { number: 1, dueAt: '2026-02-01T22:00:00.000Z', order: { amount: { minor: 5113, currency: 'EUR' } } },
    ]);
  });

  it('are charged, as occurrences of an order, by the tariff of SEPA on their day', () => {
    const state = converted(orderWith({ startDate: '2026-02-02', frequency: 'Monthly' }));
    const tariff = {
      exchangeRates: { homeCurrency: 'EUR', rates: new Map() },
      fees: [{ product: 'SEPA-Credit-Transfer', fixed: 35 } as const],
    };
    expect(dueTransactions(state, tariff)[0]?.order.fee).toEqual({ minor: 35, currency: 'EUR' });
  });

  it('are charged by the tariff of SEPA whatever service level and charge bearer they named', () => {
    const state = converted(orderWith({ startDate: '2026-02-02', frequency: 'Monthly' }));
    const named = { ...state, body: { ...state.body, serviceLevel: 'NURG', chargeBearer: 'SHAR' } };
    const tariff = {
      exchangeRates: { homeCurrency: 'EUR', rates: new Map() },
      fees: [
        { product: 'SEPA-Credit-Transfer', serviceLevel: 'SEPA', chargeBearer: 'SLEV', fixed: 35 } as const,
      ],
    };
    expect(dueTransactions(named, tariff)[0]?.order.fee).toEqual({ minor: 35, currency: 'EUR' });
  });

  it('move from a closing day of TARGET to the next banking day', () => {
    const easter = signedFor('2026-04-03', '2026-04-02T21:00:00.000Z');
    expect(decide(easter, weekdays)).toMatchObject([
      { data: { executionDate: '2026-04-07', dueAt: '2026-04-06T21:00:00.000Z' } },
    ]);
    expect(nextDueAt(converted(easter, weekdays))).toBe('2026-04-06T21:00:00.000Z');
    const periodic = orderWith({ startDate: '2026-04-03', frequency: 'Monthly' });
    expect(nextDueAt(converted(periodic))).toBe('2026-04-06T21:00:00.000Z');
  });

  it('stay on a Bulgarian holiday, which is a banking day of TARGET, and on any day of a bank that is always open', () => {
    const liberation = signedFor('2026-03-03', '2026-03-02T22:00:00.000Z');
    expect(nextDueAt(converted(liberation, weekdays))).toBe('2026-03-02T22:00:00.000Z');
    const easter = signedFor('2026-04-03', '2026-04-02T21:00:00.000Z');
    expect(nextDueAt(converted(easter))).toBe('2026-04-02T21:00:00.000Z');
  });

  it('can be cancelled and settled afterwards, and are converted only once', () => {
    for (const state of [later, bulk(), orderWith({ startDate: '2026-02-02', frequency: 'Monthly' })]) {
      const euro = converted(state);
      expect(decide(euro)).toEqual([]);
      expect(cancelPayment(euro, { tppId: euro.tppId, now: at })).toMatchObject({
        events: [{ type: 'cancelled' }],
      });
    }
    expect(settled(converted(later), held(), posted()).status).toBe('ACSC');
  });
});

describe('unsigned payments at the switch-over (contract E6.3)', () => {
  const [initiated, accepted] = paymentEvents();
  if (initiated?.type !== 'initiated' || accepted === undefined) throw new Error('no payment');
  const forTwo: PaymentEvent = { ...initiated, data: { ...initiated.data, signaturesRequired: 2 } };
  const by = { authorisationId: paymentId, psuId: 'ivan' };
  const ofEuro = (debit?: PaymentOrder['debit']): PaymentState =>
    mustExist([
      {
        ...initiated,
        data: { ...initiated.data, order: { ...order, amount: { minor: 100, currency: 'EUR' }, debit } },
      },
    ]);

  it.each([
    ['RCVD', mustExist([initiated])],
    ['ACCP', mustExist([initiated, accepted])],
    [
      'PATC',
      mustExist([
        forTwo,
        { type: 'signer-identified', data: by },
        { type: 'partly-signed', data: { ...by, signedAt } },
      ]),
    ],
    ['RCVD', ofEuro({ minor: 196, currency: 'BGN' })],
  ])('are rejected in %s if their amount or debit is in leva', (status, state) => {
    expect(state.status).toBe(status);
    expect(converted(state)).toMatchObject({ status: 'RJCT', rejectionReason: 'lev-ended' });
  });

  it('stay if they are in another currency', () => {
    expect(decide(ofEuro())).toEqual([]);
  });
});

describe('payments that have ended before the switch-over (contract E6.3)', () => {
  const cancelled = cancelPayment(later, { tppId: later.tppId, now: at });
  it.each([
    ['settled', settled(mustExist(paymentEvents()), held(), posted())],
    [
      'without funds',
      settled(mustExist(paymentEvents()), { step: 'funds-refused', reason: 'insufficient-funds' }),
    ],
    ['cancelled', evolved(later, 'refused' in cancelled ? [] : cancelled.events)],
  ])('are untouched: %s', (_kind, state) => {
    expect(switchOverStep(state, at)).toBe('keep');
    expect(decide(state)).toEqual([]);
  });
});

describe('budget payments without an identifier at the switch-over (contract E6.3)', () => {
  const to = (creditorAccount: string, body: PaymentState['body']): PaymentState => ({
    ...signedFor('2026-01-05', at, { creditorAccount }),
    product: 'domestic-budget-transfer-BGN',
    body,
  });
  const identified = { budgetPaymentDetails: { taxPayerId: '9901010002' } };

  it.each([
    ['BG88BNBG96618000195001', {}, true],
    ['BG88BNBG96618000195001', { budgetPaymentDetails: { obligedPersonName: 'X' } }, true],
    ['BG88BNBG96618000195001', identified, false],
    ['BG39BNBG96613100195002', {}, false],
  ])('to %s with %j need attention: %s', (iban, body, expected) => {
    expect(lacksTaxpayer(to(iban, body))).toBe(expected);
    expect(switchOverStep(to(iban, body), at)).toBe('convert');
  });

  it('are found in the entries of a bulk payment', () => {
    const iban = 'BG88BNBG96618000195001';
    const state = bulk();
    const orders = listOrders(state).map((one) => ({ ...one, creditorAccount: iban }));
    const withBody = (payments: readonly object[]): PaymentState =>
      ({ ...state, orders, product: 'domestic-budget-transfer-BGN', body: { payments } }) as PaymentState;
    expect(lacksTaxpayer(withBody([identified, identified]))).toBe(false);
    expect(lacksTaxpayer(withBody([identified, {}]))).toBe(true);
  });
});
