import { describe, expect, it } from '@jest/globals';
import type { PeriodicSchedule } from '../order/periodic-schedule.js';
import { signPayment } from '../payment/authorise-payment.js';
import { cancelPayment } from '../payment/decide-payment.js';
import { paymentFrom } from '../payment/evolve-payment.js';
import type { PaymentEvent, PaymentOrder } from '../payment/payment-events.js';
import type { PaymentState } from '../payment/payment-state.js';
import { makeProfile } from '../testing/profiles.js';
import { addCounts, countVerified, payeeResult, payeesToVerify, recordPayees } from './payment-payees.js';
import type { PayeesVerified } from './payees-verified.js';

const now = '2027-01-04T09:15:00.000Z';
const order = (creditorName: string, creditorAccount = 'BG26RZBB91551023456789'): PaymentOrder => ({
  amount: { minor: 100, currency: 'EUR' },
  debtorIban: 'BG25XSBK92001000000001',
  creditorAccount,
  creditorName,
  remittance: 'x',
});
const initiation = {
  paymentId: 'pay-1',
  tppId: 'tpp-1',
  product: 'SEPA-Credit-Transfer',
  paymentType: 'SEPA',
  body: {},
  signaturesRequired: 1,
  authorisationId: 'auth-1',
  redirectUris: {},
  expiresAt: '2027-01-04T09:30:00.000Z',
} as const;
const schedule: PeriodicSchedule = {
  startDate: '2027-01-05',
  frequency: 'Monthly',
  executionRule: 'following',
};
const single: Extract<PaymentEvent, { type: 'initiated' }> = {
  type: 'initiated',
  data: { ...initiation, order: order('Петър Иванов') },
};
const bulk = (orders: readonly PaymentOrder[]): PaymentEvent => ({
  type: 'bulk-initiated',
  data: { ...initiation, orders, batchBookingPreferred: false },
});
const accepted: PaymentEvent = { type: 'accepted', data: { authorisationId: 'auth-1', psuId: 'ivan' } };
const given = (...events: readonly PaymentEvent[]): PaymentState => {
  const state = paymentFrom(events, now);
  if (state === undefined) throw new Error('no payment');
  return state;
};
const verified = (change: Partial<PayeesVerified> = {}): PayeesVerified => ({
  authorisationId: 'auth-1',
  requestId: 'r-1',
  askedAt: now,
  answeredAt: '2027-01-04T09:15:02.120Z',
  language: 'bg',
  textsVersion: 'v',
  isOptedOut: false,
  payees: [{ iban: 'BG26RZBB91551023456789', name: 'Петър Иванов', verdict: 'MATCH' }],
  ...change,
});
const event = (change: Partial<PayeesVerified> = {}): PaymentEvent => ({
  type: 'payee-verified',
  data: verified(change),
});

describe('the payees of a payment (contract E4.2, E4.4)', () => {
  it('are verified once: a later result changes nothing', () => {
    const state = given(single, accepted);
    expect(recordPayees(state, verified())).toEqual({ events: [event()] });
    const later = given(single, accepted, event());
    expect(payeesToVerify(later)).toEqual([]);
    expect(recordPayees(later, verified({ language: 'en' }))).toEqual({ events: [] });
    expect(later.status).toBe('ACCP');
  });

  it.each(['SEPA-Credit-Transfer', 'instant-SEPA-credit-transfer', 'domestic-budget-transfer-EUR'] as const)(
    'are verified of a single payment, an order and a bulk payment: %s (contract E4.1)',
    (product) => {
      const named = order('Иван');
      const schedule = { startDate: '2027-02-01', frequency: 'Monthly' } as const;
      const data = { ...initiation, product };
      const initiated: readonly PaymentEvent[] = [
        { type: 'initiated', data: { ...data, order: named } },
        { type: 'order-initiated', data: { ...data, order: named, schedule } },
        { type: 'bulk-initiated', data: { ...data, orders: [named], batchBookingPreferred: false } },
      ];
      for (const event of initiated)
        expect(payeesToVerify(given(event))).toEqual([{ iban: named.creditorAccount, name: 'Иван' }]);
    },
  );

  it('are not verified of a cross-border payment (contract E4.1)', () => {
    const data = { ...initiation, order: order('John'), product: 'cross-border-credit-transfer' } as const;
    expect(payeesToVerify(given({ type: 'initiated', data }))).toEqual([]);
  });

  it('of a bulk payment are verified once for each different account and name (contract E4.11)', () => {
    const other = 'BG88BNBG96618000195001';
    const orders = [order('А'), order('Б'), order('А'), order('А', other)];
    expect(payeesToVerify(given(bulk(orders)))).toEqual([
      { iban: 'BG26RZBB91551023456789', name: 'А' },
      { iban: 'BG26RZBB91551023456789', name: 'Б' },
      { iban: other, name: 'А' },
    ]);
  });

  it.each<[string, PaymentEvent]>([
    ['SEPA', single],
    ['instant', { ...single, data: { ...single.data, product: 'instant-SEPA-credit-transfer' } }],
    ['budget', { ...single, data: { ...single.data, product: 'domestic-budget-transfer-EUR' } }],
    ['periodic', { type: 'order-initiated', data: { ...initiation, order: order('Б'), schedule } }],
    ['bulk', bulk([order('А'), order('Б')])],
  ])('keep a payment from being signed until they are verified (E4.2): %s', (_what, initiated) => {
    const [euro, off] = [makeProfile('bg-euro'), makeProfile('bg-euro', { payeeVerification: 'off' })];
    const sign = (state: PaymentState, profile = euro): unknown => {
      const decision = signPayment(state, { authorisationId: 'auth-1', psuId: 'ivan', now }, profile);
      return 'refused' in decision ? decision.refused.failure : decision.events[0]?.type;
    };
    expect(sign(given(initiated, accepted))).toBe('statusForbidsAuthorisation');
    expect(sign(given(initiated, accepted, event()))).toBe('signed');
    expect(sign(given(initiated, accepted), off)).toBe('signed');
  });

  it('keep the first of several signers from signing as well (E4.2)', () => {
    const data = { ...initiation, signaturesRequired: 2, order: order('Б') };
    const identified: PaymentEvent = {
      type: 'signer-identified',
      data: { authorisationId: 'auth-1', psuId: 'ivan' },
    };
    const state = given({ type: 'initiated', data }, identified);
    expect(
      signPayment(state, { authorisationId: 'auth-1', psuId: 'ivan', now }, makeProfile('bg-euro')),
    ).toMatchObject({ refused: { failure: 'statusForbidsAuthorisation' } });
  });

  it('are no obstacle to a cross-border payment', () => {
    const data = { ...initiation, order: order('John'), product: 'cross-border-credit-transfer' } as const;
    const state = given({ type: 'initiated', data }, accepted);
    const signing = { authorisationId: 'auth-1', psuId: 'ivan', now };
    expect(signPayment(state, signing, makeProfile('bg-euro'))).toMatchObject({
      events: [{ type: 'signed' }],
    });
  });

  it('are not recorded once the payment has ended or is signed', () => {
    const cancelled = cancelPayment(given(single, accepted), { tppId: 'tpp-1', now });
    const events = 'events' in cancelled ? cancelled.events : [];
    expect(recordPayees(given(single, accepted, ...events), verified())).toMatchObject({
      refused: { failure: 'statusForbidsAuthorisation' },
    });
  });

  it('have a result without names for the TPP', () => {
    const verifiedAt = '2027-01-04T09:15:02.120Z';
    expect(payeeResult(undefined, order('Петър Иванов'))).toBeUndefined();
    expect(payeeResult(verified(), order('Петър Иванов'))).toEqual({ result: 'MATCH', verifiedAt });
    expect(payeeResult(verified(), order('Друг'))).toBeUndefined();
    const optedOut = verified({ isOptedOut: true, payees: [] });
    expect(payeeResult(optedOut, order('Друг'))).toEqual({ result: 'OPTED_OUT', verifiedAt });
  });

  it('are counted by result', () => {
    const orders = [order('А'), order('Б'), order('А')];
    const payees = (['MATCH', 'NO_MATCH'] as const).map((verdict, at) => ({
      iban: 'BG26RZBB91551023456789',
      name: at === 0 ? 'А' : 'Б',
      verdict,
    }));
    expect(countVerified(undefined, orders)).toBeUndefined();
    const counts = countVerified(verified({ payees }), orders);
    expect(counts).toEqual({ MATCH: 1, NO_MATCH: 1 });
    const optedOut = countVerified(verified({ isOptedOut: true, payees: [] }), orders);
    expect(optedOut).toEqual({ OPTED_OUT: 2 });
    expect(addCounts([counts, undefined, optedOut, counts])).toEqual({ MATCH: 2, NO_MATCH: 2, OPTED_OUT: 2 });
    expect(addCounts([undefined])).toBeUndefined();
  });
});
