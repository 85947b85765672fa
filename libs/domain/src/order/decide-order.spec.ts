import { describe, expect, it } from '@jest/globals';
import { cancelPayment } from '../payment/decide-payment.js';
import type { PaymentEvent } from '../payment/payment-events.js';
import { dueTransactions, hasEnded, nextDueAt } from '../payment/settlement/due.js';
import { decideSettlementStep, type NumberedStep } from '../payment/settlement/steps.js';
import { orderFrom, signedOrderEvents } from '../testing/initiations.js';
import { makeProfile } from '../testing/profiles.js';
import { bgnOrder } from '../testing/signed-payment.js';
import type { PeriodicSchedule } from './periodic-schedule.js';

const profile = makeProfile('sandbox');
/** 12:00 in Sofia on a Friday. */
const now = '2026-11-20T10:00:00.000Z';
const order = bgnOrder('BG25XSBK92001000000001', 1250, 'BG80BNBG96611020345678');
const paymentId = '0193a3f0-0000-7000-8000-000000000001';
const today = '2026-11-20';
const daily = (last: string): PeriodicSchedule => ({ startDate: today, endDate: last, frequency: 'Daily' });

const given = (schedule: PeriodicSchedule, ...steps: readonly NumberedStep[]): PaymentEvent[] =>
  steps.reduce<PaymentEvent[]>(
    (events, step) => {
      const decision = decideSettlementStep(orderFrom(events), step, now, profile);
      if ('refused' in decision) throw new Error(`${step.step} was refused`);
      return [...events, ...decision.events];
    },
    signedOrderEvents({ order, schedule }, { paymentId, now, profile }),
  );
const started = (number: number, holdId = `hold-${number}`): NumberedStep => ({
  step: 'settlement-started',
  number,
  holdId,
  transactionId: `entry-${number}`,
});
const settled = (number: number): NumberedStep => ({ step: 'settled', number, postingId: `post-${number}` });
const refused = (number: number): NumberedStep => ({
  step: 'funds-refused',
  number,
  reason: 'insufficient-funds',
});
const paid = (number: number): NumberedStep[] => [started(number), settled(number)];
/** The types of the events that a step adds, or the failure that refuses the step. */
const outcome = (events: readonly PaymentEvent[], step: NumberedStep): unknown => {
  const decision = decideSettlementStep(orderFrom(events), step, now, profile);
  return 'refused' in decision ? decision.refused.failure : decision.events.map(({ type }) => type);
};
const cancelled = (events: readonly PaymentEvent[]): PaymentEvent[] => {
  const decision = cancelPayment(orderFrom(events), { tppId: 'tpp', now });
  if ('refused' in decision) throw new Error('not cancelled');
  return [...events, ...decision.events];
};
const forbidden = 'statusForbidsAuthorisation';

describe('a periodic order (spec 3.2, contract 9)', () => {
  it('plans one occurrence ahead, starting with the first when it is signed', () => {
    const events = given(daily('2026-11-22'));
    expect(events.at(-1)).toEqual({
      type: 'transaction-planned',
      data: { number: 1, executionDate: today, dueAt: '2026-11-20T10:01:00.000Z' },
    });
    expect(orderFrom(events)).toMatchObject({ status: 'ACCP', signed: { executionDate: today } });
  });

  it('reaches ACCP, then ACSP with the first executed occurrence, and ACSC after the last occurrence, whether executed or skipped', () => {
    const schedule = daily('2026-11-21');
    expect(orderFrom(given(schedule, started(1))).status).toBe('ACSP');
    expect(orderFrom(given(schedule, ...paid(1))).status).toBe('ACSP');
    expect(orderFrom(given(schedule, ...paid(1), started(2))).status).toBe('ACSP');
    expect(orderFrom(given(schedule, ...paid(1), ...paid(2))).status).toBe('ACSC');
  });

  it('makes the next occurrence due at the start of its day in the time zone of the bank', () => {
    expect(given(daily('2026-11-22'), ...paid(1)).at(-1)).toEqual({
      type: 'transaction-planned',
      data: { number: 2, executionDate: '2026-11-21', dueAt: '2026-11-20T22:00:00.000Z' },
    });
  });

  it('skips an occurrence that lacks funds and continues with the next', () => {
    const events = given(daily('2026-11-21'), refused(1));
    expect(orderFrom(events)).toMatchObject({
      status: 'ACCP',
      ended: { number: 1, fundsAvailable: false },
      planned: { number: 2 },
    });
    expect(orderFrom(events).fundsAvailable).toBeUndefined();
    expect(orderFrom(given(daily('2026-11-21'), refused(1), refused(2))).status).toBe('ACSC');
  });

  it('counts an occurrence that lacks funds towards numberOfPayments', () => {
    const schedule: PeriodicSchedule = { startDate: today, frequency: 'Weekly', numberOfPayments: 2 };
    expect(orderFrom(given(schedule, refused(1), ...paid(2)))).toMatchObject({ status: 'ACSC' });
  });

  it('has at most one occurrence due at a time, and none after the order has ended', () => {
    const schedule = daily('2026-11-21');
    const due = (...steps: readonly NumberedStep[]) => {
      const state = orderFrom(given(schedule, ...steps));
      const [first, ...more] = dueTransactions(state, profile);
      expect(more).toEqual([]);
      expect(nextDueAt(state)).toBe(first?.dueAt);
      return first && [first.number, first.transactionStatus];
    };
    expect(due()).toEqual([1, 'ACCP']);
    expect(due(started(1))).toEqual([1, 'ACSP']);
    expect(due(...paid(1))).toEqual([2, 'ACCP']);
    expect(due(...paid(1), refused(2))).toBeUndefined();
  });
});

describe('a settlement step repeated after a crash or by an outdated worker', () => {
  const schedule = daily('2026-11-23');

  it('takes effect only once', () => {
    expect(outcome(given(schedule, started(1)), started(1))).toEqual([]);
    expect(outcome(given(schedule, ...paid(1)), settled(1))).toEqual([]);
    expect(outcome(given(schedule, ...paid(1), ...paid(2)), settled(1))).toEqual([]);
    expect(outcome(given(schedule, refused(1)), refused(1))).toEqual([]);
  });

  it('never starts an occurrence that has already ended', () => {
    for (const events of [given(schedule, ...paid(1)), given(schedule, refused(1))]) {
      expect(outcome(events, started(1))).toBe(forbidden);
      expect(hasEnded(orderFrom(events), 1)).toBe(true);
      expect(hasEnded(orderFrom(events), 2)).toBe(false);
    }
  });

  it('is refused if the occurrence is not planned or is held under another id', () => {
    expect(outcome(given(schedule), started(2))).toBe(forbidden);
    expect(outcome(given(schedule), settled(1))).toBe(forbidden);
    expect(outcome(given(schedule), refused(2))).toBe(forbidden);
    expect(outcome(given(schedule, started(1)), started(1, 'another'))).toBe(forbidden);
    expect(outcome(given(schedule, started(1)), refused(1))).toBe(forbidden);
  });
});

describe('cancellation of a periodic order (contract 9)', () => {
  const schedule = daily('2026-11-23');

  it.each([
    ['before any occurrence', []],
    ['between two', paid(1)],
    ['after one without funds', [refused(1)]],
  ])('stops future occurrences: %s', (_when, steps) => {
    const events = cancelled(given(schedule, ...steps));
    const state = orderFrom(events);
    expect(state.status).toBe('CANC');
    expect(dueTransactions(state, profile)).toEqual([]);
    const next = steps.length === 0 ? 1 : 2;
    expect(outcome(events, started(next))).toBe(forbidden);
    expect(outcome(events, refused(next))).toBe(forbidden);
    expect(hasEnded(state, next)).toBe(true);
  });

  it('still lets an occurrence with held funds be booked, but starts none after it', () => {
    const events = cancelled(given(schedule, started(1)));
    expect(dueTransactions(orderFrom(events), profile)).toMatchObject([
      { number: 1, transactionStatus: 'ACSP' },
    ]);
    expect(hasEnded(orderFrom(events), 1)).toBe(false);
    expect(outcome(events, settled(1))).toEqual(['transaction-settled']);
  });
});
