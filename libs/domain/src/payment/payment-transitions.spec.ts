import { describe, expect, it } from '@jest/globals';
import type { PaymentEventType } from './payment-events.js';
import type { PaymentStatus } from './payment-state.js';
import {
  isCancellable,
  isFinal,
  nextStage,
  nextStatus,
  type PaymentStage,
  paymentLifecycle,
  paymentStages,
  type Standing,
} from './payment-transitions.js';

const events: readonly PaymentEventType[] = [
  'initiated',
  'authorisation-started',
  'signer-identified',
  'partly-signed',
  'accepted',
  'signed',
  'funds-refused',
  'settlement-started',
  'settled',
  'entry-booked',
  'rejected',
  'cancelled',
];
const standings: Readonly<Record<PaymentStage, Standing>> = {
  received: { status: 'RCVD' },
  partlySigned: { status: 'PATC' },
  accepted: { status: 'ACCP' },
  signed: { status: 'ACCP', signed: {} },
  unfunded: { status: 'ACCP', signed: {}, fundsAvailable: false },
  settling: { status: 'ACSP', signed: {}, fundsAvailable: true },
  settled: { status: 'ACSC', signed: {}, fundsAvailable: true },
  rejected: { status: 'RJCT' },
  cancelled: { status: 'CANC' },
};
/** Every transition that spec 3.1, 3.3 and contract 8, 10 know, written a second time. */
const allowed = new Map<string, PaymentStatus>([
  ['received authorisation-started', 'RCVD'],
  ['received signer-identified', 'RCVD'],
  ['received partly-signed', 'PATC'],
  ['partlySigned authorisation-started', 'PATC'],
  ['partlySigned signer-identified', 'PATC'],
  ['partlySigned partly-signed', 'PATC'],
  ['partlySigned signed', 'ACCP'],
  ['partlySigned rejected', 'RJCT'],
  ['partlySigned cancelled', 'CANC'],
  ['accepted authorisation-started', 'ACCP'],
  ['accepted accepted', 'ACCP'],
  ['received accepted', 'ACCP'],
  ['received rejected', 'RJCT'],
  ['received cancelled', 'CANC'],
  ['accepted signed', 'ACCP'],
  ['accepted rejected', 'RJCT'],
  ['accepted cancelled', 'CANC'],
  ['signed funds-refused', 'ACCP'],
  ['signed settlement-started', 'ACSP'],
  ['signed cancelled', 'CANC'],
  ['settling settled', 'ACSC'],
  ['settling entry-booked', 'ACSP'],
  ['settled entry-booked', 'ACSC'],
]);

describe('lifecycle of a single payment (spec 3.1, 3.3)', () => {
  it.each(
    paymentStages.flatMap((stage) => events.map((event): [PaymentStage, PaymentEventType] => [stage, event])),
  )('%s × %s', (stage, event) => {
    expect(nextStatus(standings[stage], event)).toBe(allowed.get(`${stage} ${event}`));
  });

  it('begins with initiated and with nothing else', () => {
    expect(events.filter((event) => nextStatus(undefined, event) !== undefined)).toEqual(['initiated']);
    expect(nextStatus(undefined, 'initiated')).toBe('RCVD');
  });

  it('never goes back to an earlier status', () => {
    const order = ['RCVD', 'PATC', 'ACCP', 'ACSP', 'ACSC', 'RJCT', 'CANC'];
    for (const stage of paymentStages) {
      for (const event of events) {
        const next = nextStage(stage, event);
        if (next === undefined) continue;
        const [from, to] = [paymentLifecycle[stage].status, paymentLifecycle[next].status].map((s) =>
          order.indexOf(s),
        );
        expect(to).toBeGreaterThanOrEqual(from ?? Number.NaN);
      }
    }
  });

  it('is final without funds, settled, rejected or cancelled', () => {
    expect(paymentStages.filter((stage) => isFinal(standings[stage]))).toEqual([
      'unfunded',
      'settled',
      'rejected',
      'cancelled',
    ]);
  });
});

describe('cancellation (spec 3.3)', () => {
  it.each<[PaymentStatus, boolean | undefined, boolean]>([
    ['RCVD', undefined, true],
    ['PATC', undefined, true],
    ['ACCP', undefined, true],
    ['ACCP', false, false],
    ['RJCT', undefined, false],
    ['ACSP', true, false],
    ['ACSC', true, false],
    ['CANC', undefined, false],
  ])('%s with funds %s: %s', (status, fundsAvailable, possible) => {
    expect(isCancellable(status, fundsAvailable)).toBe(possible);
  });

  it('is what the table says, signed or not', () => {
    for (const stage of paymentStages) {
      const { status, fundsAvailable } = standings[stage];
      expect(isCancellable(status, fundsAvailable)).toBe(nextStage(stage, 'cancelled') !== undefined);
    }
  });
});
