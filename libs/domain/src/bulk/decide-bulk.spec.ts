import { describe, expect, it } from '@jest/globals';
import { cancelPayment } from '../payment/decide-payment.js';
import type { PaymentEvent } from '../payment/payment-events.js';
import { isCancellable } from '../payment/payment-transitions.js';
import { dueTransactions, hasEnded } from '../payment/settlement/due.js';
import { decideSettlementSteps, type NumberedStep } from '../payment/settlement/steps.js';
import { bulkFrom, signedBulkEvents } from '../testing/initiations.js';
import { makeProfile } from '../testing/profiles.js';
import { bgnOrder } from '../testing/signed-payment.js';

const profile = makeProfile('sandbox');
const now = '2026-11-20T10:00:00.000Z';
const dueAt = '2026-11-20T10:01:00.000Z';
const paymentId = '0193a3f0-0000-7000-8000-000000000002';
const orders = [100, 200, 300].map((minor) =>
  bgnOrder('BG25XSBK92001000000001', minor, 'BG80BNBG96611020345678'),
);

const signed = (batchBookingPreferred = false): PaymentEvent[] =>
  signedBulkEvents({ orders, batchBookingPreferred }, { paymentId, now, profile });
const after = (...steps: readonly NumberedStep[]): PaymentEvent[] => {
  const events = signed();
  const decided = decideSettlementSteps(bulkFrom(events), steps, now, profile);
  expect(decided.refusedSteps).toEqual([]);
  expect(bulkFrom([...events, ...decided.events])).toEqual(decided.state);
  return [...events, ...decided.events];
};
const started = (number: number): NumberedStep => ({
  step: 'settlement-started',
  number,
  holdId: `hold-${number}`,
  transactionId: `entry-${number}`,
});
const settled = (number: number): NumberedStep => ({ step: 'settled', number, postingId: `post-${number}` });
const refused = (number: number): NumberedStep => ({
  step: 'funds-refused',
  number,
  reason: 'insufficient-funds',
});
const outcome = (events: readonly PaymentEvent[], step: NumberedStep): unknown => {
  const decided = decideSettlementSteps(bulkFrom(events), [step], now, profile);
  return decided.refusedSteps.length > 0 ? 'refused' : decided.events.map(({ type }) => type);
};
const all = (step: (number: number) => NumberedStep): NumberedStep[] => [1, 2, 3].map(step);

describe('a bulk payment (contract 9)', () => {
  it('makes all entries due on its execution day, in order', () => {
    expect(dueTransactions(bulkFrom(signed()), profile)).toEqual(
      orders.map((order, index) => ({ number: index + 1, dueAt, transactionStatus: 'ACCP', order })),
    );
  });

  it('records the batch if batchBookingPreferred is set', () => {
    expect(dueTransactions(bulkFrom(signed(true)), profile)).toMatchObject(
      orders.map(() => ({ batchId: paymentId })),
    );
  });

  it('reaches ACSP with the first hold and ACSC when every entry has been paid', () => {
    expect(bulkFrom(after(started(1)))).toMatchObject({
      status: 'ACSP',
      entries: [{ transactionStatus: 'ACSP' }, { transactionStatus: 'ACCP' }, { transactionStatus: 'ACCP' }],
    });
    const events = after(...all(started), ...all(settled));
    expect(events.at(-1)?.type).toBe('completed');
    expect(bulkFrom(events)).toMatchObject({ status: 'ACSC', fundsAvailable: true });
    expect(dueTransactions(bulkFrom(events), profile)).toEqual([]);
  });

  it('ends as PART when some entries are paid and the others are unfunded', () => {
    const events = after(started(1), started(3), settled(1), settled(3), refused(2));
    expect(bulkFrom(events)).toMatchObject({
      status: 'PART',
      entries: [
        { transactionStatus: 'ACSC', fundsAvailable: true },
        { transactionStatus: 'ACCP', fundsAvailable: false },
        { transactionStatus: 'ACSC', fundsAvailable: true },
      ],
    });
    expect(bulkFrom(after(refused(1), started(2), started(3), settled(3), settled(2))).status).toBe('PART');
  });

  it('ends as ACCP with fundsAvailable=false when all entries are unfunded', () => {
    const events = after(...all(refused));
    expect(bulkFrom(events)).toMatchObject({ status: 'ACCP', fundsAvailable: false });
    expect(events.at(-1)).toEqual({ type: 'funds-refused', data: { reason: 'insufficient-funds' } });
  });
});

describe('a repeated settlement step of an entry', () => {
  it('takes effect only once', () => {
    expect(outcome(after(started(1)), started(1))).toEqual([]);
    expect(outcome(after(started(1), settled(1)), settled(1))).toEqual([]);
    expect(outcome(after(refused(1)), refused(1))).toEqual([]);
  });

  it('never pays a refused entry and never refuses a held one', () => {
    expect(outcome(after(refused(1)), started(1))).toBe('refused');
    expect(hasEnded(bulkFrom(after(refused(1))), 1)).toBe(true);
    expect(outcome(after(started(1)), refused(1))).toBe('refused');
    expect(hasEnded(bulkFrom(after(started(1))), 1)).toBe(false);
    expect(outcome(signed(), settled(1))).toBe('refused');
    expect(outcome(signed(), started(4))).toBe('refused');
  });
});

describe('cancellation of a bulk payment (contract 9)', () => {
  it('is possible until the first hold or the first refusal due to insufficient funds', () => {
    expect(isCancellable(bulkFrom(signed()))).toBe(true);
    expect(isCancellable(bulkFrom(after(started(1))))).toBe(false);
    expect(isCancellable(bulkFrom(after(refused(1))))).toBe(false);
  });

  it('leaves no entry due and prevents every entry from starting', () => {
    const decision = cancelPayment(bulkFrom(signed()), { tppId: 'tpp', now });
    if ('refused' in decision) throw new Error('not cancelled');
    const events = [...signed(), ...decision.events];
    expect(dueTransactions(bulkFrom(events), profile)).toEqual([]);
    expect(outcome(events, started(1))).toBe('refused');
    expect(hasEnded(bulkFrom(events), 1)).toBe(true);
  });
});
