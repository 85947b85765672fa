import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readSettlementQueue, type SettlementQueue } from '@xs2a/contracts/payments.contract';
import {
  maxTimelineEvents,
  type ReadLog,
  readPaymentLog,
  readPaymentTimeline,
} from '@xs2a/contracts/timeline.contract';
import { until } from '@xs2a/nats/testing/until';
import { newId } from '@xs2a/runtime/ids';
import {
  bulkPayment,
  catchFailure,
  ivansAccount,
  type PaymentsWorld,
  periodicOrder,
  startPaymentsWorld,
} from '../testing/payments-world.js';

let world: PaymentsWorld;
beforeAll(async () => {
  world = await startPaymentsWorld();
}, 60_000);
afterAll(async () => world.stop());

const timeline = async (id: string) => (await world.ask(readPaymentTimeline, { id })).timeline;
const later = (seconds: number): void => {
  for (const { clock } of [world.payments, world.second]) clock.raiseTo(clock.offsetMs + seconds * 1000);
};

describe('what the console reads of payments (docs/how-to/operate-the-console.md)', () => {
  it('is the history of a payment, with the status after each event', async () => {
    const { paymentId } = await world.signed();
    const read = await timeline(paymentId);
    expect(read).toMatchObject({
      tppId: 'tpp',
      leftOut: 0,
      facts: {
        kind: 'payment',
        service: 'payments',
        amount: { minor: 1250, currency: 'BGN' },
        debtor: `…${ivansAccount.slice(-4)}`,
        creditor: '…5678',
      },
    });
    expect(read?.events.map(({ version, type, status, actor }) => [version, type, status, actor])).toEqual([
      [1, 'initiated', 'RCVD', 'tpp'],
      [2, 'accepted', 'ACCP', 'psu'],
      [3, 'signed', 'ACCP', 'psu'],
    ]);
    expect(read?.events.at(-1)?.data).toMatchObject({ dueAt: expect.stringMatching(/Z$/) });
  });

  it('contains no account number, name, PSU-ID or remittance text', async () => {
    for (const changes of [
      {},
      periodicOrder(3, world.payments.clock.date('Europe/Sofia')),
      bulkPayment(['1.00', '2.00']),
    ]) {
      const { paymentId } = await world.signed(changes);
      const text = JSON.stringify(await timeline(paymentId));
      for (const secret of [ivansAccount, 'BG80BNBG96611020345678', 'ivan', 'Мария', 'Фактура', 'INV-1'])
        expect(text).not.toContain(secret);
    }
  });

  it('has the sum of a bulk payment, and no payee of several', async () => {
    const { paymentId } = await world.signed(bulkPayment(['1.00', '2.50']));
    expect((await timeline(paymentId))?.facts).toMatchObject({ amount: { minor: 350 }, creditor: null });
  });

  it('is cut at the newest events', async () => {
    const today = world.payments.clock.date('Europe/Sofia');
    const { paymentId } = await world.signed(periodicOrder(400, today));
    const rows = await world.sql('SELECT count(*)::int AS events FROM payments.events WHERE stream_id = $1', [
      paymentId,
    ]);
    const before = Number(rows[0]?.['events']);
    await world.sql(
      `INSERT INTO payments.events
       SELECT (jsonb_populate_record(e, jsonb_build_object('event_id', gen_random_uuid(), 'version', version + n))).*
       FROM payments.events AS e, generate_series(1, $2) AS n WHERE stream_id = $1 AND version = $3`,
      [paymentId, maxTimelineEvents, before],
    );
    const read = await timeline(paymentId);
    expect([read?.events.length, read?.leftOut]).toEqual([maxTimelineEvents, before]);
    expect(read?.events.at(0)?.version).toBe(before + 1);
    await world.sql('DELETE FROM payments.events WHERE stream_id = $1 AND version > $2', [paymentId, before]);
  });

  it('is nothing for an id that does not exist, and refused for a text that is none', async () => {
    expect(await timeline(newId())).toBeUndefined();
    for (const id of ['', 'x', newId().toUpperCase(), "' OR true --"])
      expect(await catchFailure(world.ask(readPaymentTimeline, { id }))).toBe('fieldMalformed');
  });

  it('is what waits for settlement: the most urgent first, with later ones counted', async () => {
    const { paymentId } = await world.signed();
    const queue = await world.ask(readSettlementQueue, { limit: 500 });
    const own = ({ payments }: SettlementQueue) => payments.find((one) => one.paymentId === paymentId);
    expect(own(queue)).toMatchObject({
      state: 'later',
      amount: { minor: 1250, currency: 'BGN' },
      tppId: 'tpp',
      service: 'payments',
    });
    expect(queue.later).toBeGreaterThan(0);
    later(90);
    expect(own(await world.ask(readSettlementQueue, { limit: 500 }))?.state).toBe('due');
    later(60);
    const overdue = await world.ask(readSettlementQueue, { limit: 500 });
    expect(own(overdue)?.state).toBe('overdue');
    expect(overdue.unfinished.find(({ state }) => state === 'overdue')?.seconds).toBeGreaterThan(60);
    const dues = overdue.payments.map(({ dueAt }) => dueAt);
    expect(dues).toEqual(dues.toSorted());
    expect((await world.ask(readSettlementQueue, { limit: 0 })).payments).toEqual([]);
    expect((await world.ask(readSettlementQueue, { limit: 1 })).payments).toHaveLength(1);
    for (const limit of [-1, 1.5, 501])
      expect(await catchFailure(world.ask(readSettlementQueue, { limit }))).toBe('fieldMalformed');
  });

  it('is the log, newest first, between positions, by type, TPP, product and status, with the number left out', async () => {
    const tppId = `tpp ${newId()}`;
    const { paymentId } = await world.signed({ tppId });
    await world.initiate({ tppId });
    const read = async (request: Partial<ReadLog> = {}) =>
      world.ask(readPaymentLog, { tppId, limit: 100, ...request });
    // The relay gives positions to events after they are stored.
    await until(async () => expect((await read()).events).toHaveLength(4));
    const own = await read();
    const positions = own.events.map(({ pos }) => pos);
    expect(positions).toEqual(positions.toSorted((a, b) => b - a));
    expect(own.events.map(({ type }) => type)).toEqual(['initiated', 'signed', 'accepted', 'initiated']);
    expect(own.events[1]).toMatchObject({
      id: paymentId,
      tppId,
      actor: 'psu',
      product: 'domestic-credit-transfer-BGN',
    });
    expect(own.last).toBeGreaterThanOrEqual(positions[0] ?? Infinity);
    expect((await read({ type: 'signed' })).events.map(({ id }) => id)).toEqual([paymentId]);
    expect((await read({ after: positions[2] })).events.map(({ pos }) => pos)).toEqual(positions.slice(0, 2));
    expect((await read({ before: positions[2] })).events.map(({ pos }) => pos)).toEqual(positions.slice(3));
    const accepted = await read({ status: 'ACCP' });
    expect(accepted.events.map(({ id }) => id)).toEqual(Array.from({ length: 3 }, () => paymentId));
    expect((await read({ status: 'RCVD', product: 'domestic-credit-transfer-BGN' })).events).toHaveLength(1);
    expect((await read({ product: 'signing-basket' })).events).toEqual([]);
    const limited = await read({ limit: 1 });
    expect([limited.events.length, limited.leftOut]).toEqual([1, 3]);
    const text = JSON.stringify(await world.ask(readPaymentLog, { limit: 500 }));
    for (const secret of [ivansAccount, 'ivan', 'Мария']) expect(text).not.toContain(secret);
  });

  it('is the log up to a time', async () => {
    const tppId = `tpp ${newId()}`;
    const typesUntil = async (time?: string) =>
      (await world.ask(readPaymentLog, { tppId, limit: 100, until: time })).events.map(({ type }) => type);
    const start = new Date(world.payments.clock.nowMs()).toISOString();
    later(60);
    await world.initiate({ tppId });
    later(60);
    const between = new Date(world.payments.clock.nowMs()).toISOString();
    later(60);
    await world.signed({ tppId });
    await until(async () => expect(await typesUntil()).toHaveLength(4));
    expect(await typesUntil(between)).toEqual(['initiated']);
    expect(await typesUntil(start)).toEqual([]);
    expect(await typesUntil('2020-01-01T00:00:00.000Z')).toEqual([]);
    expect(await typesUntil('2100-01-01T00:00:00.000Z')).toHaveLength(4);
  });

  it('is the log with the positions that were lost', async () => {
    const { last } = await world.ask(readPaymentLog, { limit: 1 });
    await world.sql('INSERT INTO payments.log_gap (after, up_to) VALUES ($1, $2)', [last, last + 5]);
    expect(await world.ask(readPaymentLog, { limit: 1, after: last })).toMatchObject({
      last: last + 5,
      events: [],
      gaps: [{ after: last, upTo: last + 5 }],
    });
    expect((await world.ask(readPaymentLog, { limit: 1, before: last })).gaps).toEqual([]);
    // A reader that was already at the end of the lost positions learns of them all the same.
    expect(await world.ask(readPaymentLog, { limit: 1, after: last + 5 })).toMatchObject({
      gaps: [],
      newestGaps: [{ after: last, upTo: last + 5 }],
    });
    await world.sql('DELETE FROM payments.log_gap WHERE after = $1', [last]);
  });

  it('refuses parts of the log that cannot be meant', async () => {
    for (const request of [
      { limit: 501 },
      { limit: 1, after: -1 },
      { limit: 1, before: 0.5 },
      { limit: 1, type: '' },
      { limit: 1, tppId: '\0' },
      { limit: 1, product: 'x'.repeat(51) },
      { limit: 1, status: '' },
      { limit: 1, until: 'yesterday' },
    ])
      expect(await catchFailure(world.ask(readPaymentLog, request))).toBe('fieldMalformed');
  });
});
