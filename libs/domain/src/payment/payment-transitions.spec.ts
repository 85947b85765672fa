import { describe, expect, it } from '@jest/globals';
import { paymentEventTypes } from './payment-event-types.js';
import type { PaymentEventType } from './payment-events.js';
import { type PaymentService, paymentServices } from './payment-services.js';
import type { PaymentStatus } from './payment-state.js';
import {
  endingEvents,
  isCancellable,
  isFinal,
  lifecycles,
  nextPlace,
  nextStatus,
  type PaymentStage,
  type StatusFields,
  statusAt,
} from './payment-transitions.js';

const events = Object.keys(paymentEventTypes) as PaymentEventType[];
const fieldsByStage: Readonly<Record<PaymentStage, StatusFields>> = {
  received: { status: 'RCVD' },
  partlySigned: { status: 'PATC' },
  accepted: { status: 'ACCP' },
  signed: { status: 'ACCP', signed: {} },
  refusing: { status: 'ACCP', signed: {}, entries: [{ fundsAvailable: false }, {}] },
  unfunded: { status: 'ACCP', signed: {}, fundsAvailable: false },
  settling: { status: 'ACSP', signed: {}, fundsAvailable: true },
  answered: { status: 'ACSP', signed: {}, fundsAvailable: true, instant: { answer: {} } },
  running: { status: 'ACSP', signed: {} },
  settled: { status: 'ACSC', signed: {}, fundsAvailable: true },
  partlySettled: { status: 'PART', signed: {} },
  rejected: { status: 'RJCT' },
  cancelled: { status: 'CANC' },
};
const payment = (service: PaymentService, stage: PaymentStage): StatusFields => ({
  ...fieldsByStage[stage],
  service: service === 'payments' ? undefined : service,
});
const listStages = (service: PaymentService): PaymentStage[] =>
  Object.keys(lifecycles[service]) as PaymentStage[];

/** Every transition in spec 3.1 to 3.3 and contract 8 to 10, 13 and 15, written out independently of the code. */
const untilSigned: readonly [string, PaymentStatus][] = [
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
  ['signed cancelled', 'CANC'],
  ['received payee-verified', 'RCVD'],
  ['partlySigned payee-verified', 'PATC'],
  ['accepted payee-verified', 'ACCP'],
];
/** Includes the basket transitions, which a periodic order does not have because a basket cannot contain one. */
const untilSignedOrGrouped: readonly [string, PaymentStatus][] = [
  ...untilSigned,
  ['received grouped', 'RCVD'],
  ['received ungrouped', 'RCVD'],
];
const allowed: Readonly<Record<PaymentService, ReadonlyMap<string, PaymentStatus>>> = {
  payments: new Map([
    ...untilSignedOrGrouped,
    ['signed brought-forward', 'ACCP'],
    ['signed converted-to-euro', 'ACCP'],
    ['signed funds-refused', 'ACCP'],
    ['signed settlement-started', 'ACSP'],
    ['settling settled', 'ACSC'],
    ['settling entry-booked', 'ACSP'],
    ['settled entry-booked', 'ACSC'],
    // Instant payments (euro contract, E3).
    ['signed instant-rejected', 'RJCT'],
    ['settling instant-answered', 'ACSP'],
    ['answered settled', 'ACSC'],
    ['answered instant-rejected', 'RJCT'],
    ['answered instant-answered-late', 'ACSP'],
    ['rejected instant-answered-late', 'RJCT'],
  ]),
  'periodic-payments': new Map([
    ...untilSigned,
    ['signed brought-forward', 'ACCP'],
    ['signed converted-to-euro', 'ACCP'],
    ['running brought-forward', 'ACSP'],
    ['running converted-to-euro', 'ACSP'],
    ['signed transaction-planned', 'ACCP'],
    ['signed transaction-refused', 'ACCP'],
    ['signed transaction-started', 'ACSP'],
    ['signed completed', 'ACSC'],
    ['running transaction-planned', 'ACSP'],
    ['running transaction-started', 'ACSP'],
    ['running transaction-settled', 'ACSP'],
    ['running transaction-refused', 'ACSP'],
    ['running completed', 'ACSC'],
    ['running cancelled', 'CANC'],
    ['cancelled transaction-settled', 'CANC'],
  ]),
  'bulk-payments': new Map([
    ...untilSignedOrGrouped,
    ['signed brought-forward', 'ACCP'],
    ['signed converted-to-euro', 'ACCP'],
    ['signed transaction-started', 'ACSP'],
    ['signed transaction-refused', 'ACCP'],
    ['refusing transaction-started', 'ACSP'],
    ['refusing transaction-refused', 'ACCP'],
    ['refusing funds-refused', 'ACCP'],
    ['settling transaction-started', 'ACSP'],
    ['settling transaction-settled', 'ACSP'],
    ['settling transaction-refused', 'ACSP'],
    ['settling completed', 'ACSC'],
    ['settling partly-completed', 'PART'],
    // Bulk payments of instant payments (euro contract, E3.8).
    ['signed transaction-rejected', 'ACSP'],
    ['settling transaction-answered', 'ACSP'],
    ['settling transaction-rejected', 'ACSP'],
    ['settling instant-answered-late', 'ACSP'],
    ['settling instant-rejected', 'RJCT'],
    ['partlySettled instant-answered-late', 'PART'],
    ['rejected instant-answered-late', 'RJCT'],
  ]),
};
const beginnings: Readonly<Record<PaymentService, PaymentEventType>> = {
  payments: 'initiated',
  'periodic-payments': 'order-initiated',
  'bulk-payments': 'bulk-initiated',
};
const pairs = paymentServices.flatMap((service) =>
  listStages(service).flatMap((stage) => events.map((event) => [service, stage, event] as const)),
);

describe('the lifecycles of payments, periodic orders and bulk payments (spec 3.1 to 3.3, contract 8 to 10)', () => {
  it.each(pairs)('%s: %s × %s', (service, stage, event) => {
    expect(nextStatus(payment(service, stage), event)).toBe(allowed[service].get(`${stage} ${event}`));
  });

  it.each(paymentServices)('%s: starts only with its own event', (service) => {
    const begin = events.filter((event) => nextPlace(undefined, event)?.service === service);
    expect(begin).toEqual([beginnings[service]]);
    expect(nextStatus(undefined, beginnings[service])).toBe('RCVD');
  });

  it('never return to an earlier status', () => {
    const order = ['RCVD', 'PATC', 'ACCP', 'ACSP', 'PART', 'ACSC', 'RJCT', 'CANC'];
    for (const [service, stage, event] of pairs) {
      const next = nextPlace({ service, stage }, event);
      if (next === undefined) continue;
      const [from, to] = [{ service, stage }, next].map((place) => order.indexOf(String(statusAt(place))));
      expect(to).toBeGreaterThanOrEqual(from ?? Number.NaN);
    }
  });

  it.each([
    ['payments', ['unfunded', 'settled', 'rejected', 'cancelled']],
    ['periodic-payments', ['settled', 'rejected', 'cancelled']],
    ['bulk-payments', ['unfunded', 'settled', 'partlySettled', 'rejected', 'cancelled']],
  ] as const)('%s: the final stages are %s', (service, final) => {
    const found = listStages(service).filter((stage) => isFinal(payment(service, stage)));
    expect(found.toSorted()).toEqual(final.toSorted());
  });

  it('are reached by seven events, each with one status in all payment services', () => {
    expect(Object.fromEntries(endingEvents)).toEqual({
      cancelled: 'CANC',
      completed: 'ACSC',
      'funds-refused': 'ACCP',
      'instant-rejected': 'RJCT',
      'partly-completed': 'PART',
      rejected: 'RJCT',
      settled: 'ACSC',
    });
    const ends = pairs.filter(([service, stage, event]) => {
      const next = nextPlace({ service, stage }, event);
      return next !== undefined && next.stage !== stage && isFinal(payment(service, next.stage));
    });
    expect(
      ends.filter(
        ([service, stage, event]) => nextStatus(payment(service, stage), event) !== endingEvents.get(event),
      ),
    ).toEqual([]);
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
  ])('is possible in %s with fundsAvailable %s: %s', (status, fundsAvailable, possible) => {
    expect(isCancellable({ status, fundsAvailable })).toBe(possible);
    expect(isCancellable({ status, fundsAvailable, signed: {} })).toBe(possible);
  });

  it('is possible for a periodic order in RCVD, ACCP and ACSP (contract 9)', () => {
    const possible = listStages('periodic-payments').filter((stage) =>
      isCancellable(payment('periodic-payments', stage)),
    );
    expect(possible.toSorted()).toEqual(
      ['received', 'partlySigned', 'accepted', 'signed', 'running'].toSorted(),
    );
  });

  it('is possible for a bulk payment until the first hold or the first refusal due to insufficient funds (contract 9)', () => {
    const possible = listStages('bulk-payments').filter((stage) =>
      isCancellable(payment('bulk-payments', stage)),
    );
    expect(possible.toSorted()).toEqual(['received', 'partlySigned', 'accepted', 'signed'].toSorted());
  });
});
