import { describe, expect, it } from '@jest/globals';
import { occurrenceAfter } from '../../order/plan-occurrence.js';
import type { PeriodicSchedule } from '../../order/periodic-schedule.js';
import { signedBulkEvents, signedOrderEvents } from '../../testing/initiations.js';
import { makeProfile } from '../../testing/profiles.js';
import { bgnOrder, signedPaymentEvents } from '../../testing/signed-payment.js';
import { cancelPayment } from '../decide-payment.js';
import { evolvePayment, paymentFrom } from '../evolve-payment.js';
import type { PaymentEvent } from '../payment-events.js';
import type { PaymentState } from '../payment-state.js';
import { bringForward, executionOf, listToExecute } from './bring-forward.js';
import { nextDueAt } from './due.js';
import { decideSettlementSteps, type NumberedStep } from './steps.js';

const profile = makeProfile('sandbox');
const signedAt = '2026-11-20T10:00:00.000Z';
/** Before every due time below. */
const now = '2026-11-20T10:00:30.000Z';
const later = '2027-12-31T00:00:00.000Z';
const paymentId = '0193a3f0-0000-7000-8000-000000000003';
const order = bgnOrder('BG25XSBK92001000000001', 100, 'BG80BNBG96611020345678');
const signing = { paymentId, now: signedAt, profile };
const schedule: PeriodicSchedule = { startDate: '2026-11-23', numberOfPayments: 2, frequency: 'Daily' };

const mustExist = (events: readonly PaymentEvent[]): PaymentState => {
  const state = paymentFrom(events, signedAt);
  if (state === undefined) throw new Error('no payment');
  return state;
};
const singleEvents = signedPaymentEvents({ paymentId, order, now: signedAt }, profile);
const signed = {
  'a payment': mustExist(singleEvents),
  'an order': mustExist(signedOrderEvents({ order, schedule }, signing)),
  'a bulk payment': mustExist(signedBulkEvents({ orders: [order, order] }, signing)),
};
const numbers = { 'a payment': [undefined], 'an order': [1], 'a bulk payment': [1, 2] };
const kinds = ['a payment', 'an order', 'a bulk payment'] as const;

const after = (state: PaymentState, ...steps: readonly NumberedStep[]): PaymentState => {
  const decided = decideSettlementSteps(state, steps, now, profile);
  expect(decided.refusedSteps).toEqual([]);
  return decided.state;
};
const held = (number?: number): NumberedStep => ({
  step: 'settlement-started',
  number,
  holdId: `hold-${number}`,
  transactionId: `entry-${number}`,
});
const posted = (number?: number): NumberedStep => ({ step: 'settled', number, postingId: `post-${number}` });
const unfunded = (number?: number): NumberedStep => ({
  step: 'funds-refused',
  number,
  reason: 'insufficient-funds',
});
const cancelled = (state: PaymentState): PaymentState => {
  const decision = cancelPayment(state, { tppId: state.tppId, now });
  if ('refused' in decision) throw new Error('not cancelled');
  return decision.events.reduce<PaymentState>((next, event) => evolvePayment(next, event, now), state);
};
const bring = (state: PaymentState, at = now): unknown => {
  const decision = bringForward(state, { now: at });
  return 'refused' in decision ? decision.refused.failure : decision.events;
};
const brought = (state: PaymentState, at = now): PaymentState =>
  evolvePayment(state, { type: 'brought-forward', data: { dueAt: at } }, at);

describe('settlement before the due time (contract 13)', () => {
  it.each(kinds)('makes what is signed of %s due now', (kind) => {
    const state = signed[kind];
    expect(listToExecute(state)).toEqual(numbers[kind]);
    expect(bring(state)).toEqual([{ type: 'brought-forward', data: { dueAt: now } }]);
    expect(nextDueAt(brought(state))).toBe(now);
    expect(brought(state).status).toBe(state.status);
  });

  it.each(kinds)('changes nothing for %s that is already due or whose settlement has begun', (kind) => {
    expect(bring(signed[kind], later)).toEqual([]);
    expect(bring(brought(signed[kind]))).toEqual([]);
    const [number] = numbers[kind];
    expect(bring(after(brought(signed[kind]), held(number)))).toEqual([]);
  });

  it.each(kinds)('is refused for %s that is not signed, cancelled or finally decided', (kind) => {
    const steps = numbers[kind];
    const refused = 'statusForbidsSettlement';
    expect(bring(cancelled(signed[kind]))).toBe(refused);
    if (kind === 'an order') {
      const both = [1, 2].flatMap((number) => [held(number), posted(number)]);
      expect(bring(after(signed[kind], ...both))).toBe(refused);
      expect(bring(after(signed[kind], unfunded(1), unfunded(2)))).toBe(refused);
    } else {
      expect(bring(after(signed[kind], ...steps.map(held), ...steps.map(posted)))).toBe(refused);
      expect(bring(after(signed[kind], ...steps.map(unfunded)))).toBe(refused);
    }
    const unsigned = kind === 'a payment' ? singleEvents.slice(0, -1) : [];
    if (unsigned.length > 0) expect(bring(mustExist(unsigned))).toBe(refused);
  });

  it('is refused for an order that is cancelled while an occurrence is held, although that is still posted', () => {
    expect(bring(cancelled(after(signed['an order'], held(1))))).toBe('statusForbidsSettlement');
  });

  it('does not change when the following occurrence of the order is due', () => {
    const paid = after(brought(signed['an order']), held(1), posted(1));
    expect(paid).toMatchObject({ planned: { number: 2, executionDate: '2026-11-24' } });
    const unchanged = after(signed['an order'], held(1), posted(1));
    expect(nextDueAt(paid)).toBe(nextDueAt(unchanged));
    const first = { number: 1, executionDate: '2026-11-23', dueAt: now };
    expect(nextDueAt(paid)).toBe(occurrenceAfter(first, schedule, profile)?.dueAt);
    expect(listToExecute(paid)).toEqual([2]);
  });
});

describe('the result of a settlement before the due time (contract 13)', () => {
  it.each(kinds)('is known for %s once each transaction has been paid or lacks funds', (kind) => {
    const [state, all] = [brought(signed[kind]), numbers[kind]];
    expect(executionOf(state, all)).toBe('in-progress');
    const [first] = all;
    expect(executionOf(after(state, held(first)), all)).toBe('in-progress');
    expect(executionOf(after(state, ...all.flatMap((one) => [held(one), posted(one)])), all)).toBe(
      'executed',
    );
    expect(executionOf(after(state, ...all.map(unfunded)), all)).toBe('executed');
  });

  it('is not known for a bulk payment of which an entry is open', () => {
    const state = after(brought(signed['a bulk payment']), held(1), posted(1));
    expect(executionOf(state, [1, 2])).toBe('in-progress');
    expect(executionOf(after(state, unfunded(2)), [1, 2])).toBe('executed');
  });

  it.each(kinds)('is a cancellation of %s that came first', (kind) => {
    expect(executionOf(cancelled(brought(signed[kind])), numbers[kind])).toBe('cancelled');
  });

  it('is not a cancellation if the occurrence was executed before the order was cancelled', () => {
    const paid = after(brought(signed['an order']), held(1), posted(1));
    expect(executionOf(cancelled(paid), [1])).toBe('executed');
    const held1 = cancelled(after(brought(signed['an order']), held(1)));
    expect(executionOf(held1, [1])).toBe('in-progress');
    expect(executionOf(after(held1, posted(1)), [1])).toBe('executed');
  });

  it.each(kinds)(
    'changes nothing once the settlement of %s has begun, even if this clock is behind',
    (kind) => {
      const [number] = numbers[kind];
      const before = new Date(Date.parse(now) - 5).toISOString();
      const begun = after(brought(signed[kind]), held(number));
      // An order is open while one of its occurrences is executed, so there the event is allowed and has no effect.
      const again = [{ type: 'brought-forward', data: { dueAt: before } }];
      expect(bring(begun, before)).toEqual(kind === 'an order' ? again : []);
    },
  );
});
