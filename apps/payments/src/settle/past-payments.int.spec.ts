import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readPastPayments } from '@xs2a/contracts/console/past-payments.contract';
import {
  cancelPayment,
  readSettlementQueue,
  type SettlementRecord,
  type UnfinishedPayments,
} from '@xs2a/contracts/payments.contract';
import { until } from '@xs2a/nats/testing/until';
import { newId } from '@xs2a/runtime/ids';
import {
  bulkPayment,
  catchFailure,
  type PaymentsWorld,
  periodicOrder,
  startPaymentsWorld,
} from '../testing/payments-world.js';

let world: PaymentsWorld;
beforeAll(async () => {
  world = await startPaymentsWorld();
}, 60_000);
afterAll(async () => world.stop());

const later = (seconds: number): void => {
  for (const { clock } of [world.payments, world.second]) clock.raiseTo(clock.offsetMs + seconds * 1000);
};

interface Counts {
  readonly at: string;
  readonly unfinished: readonly UnfinishedPayments[];
  readonly later: number;
}
const sorted = ({ at, unfinished, later: dueLater }: Counts): Counts => ({
  at,
  unfinished: unfinished
    .map((group) => ({ ...group, seconds: Number(group.seconds.toFixed(3)) }))
    .toSorted((a, b) => `${a.status} ${a.state}`.localeCompare(`${b.status} ${b.state}`)),
  later: dueLater,
});
/** What Now shows. The clock moves on afterwards, so that the next event is later. */
const shown = async (): Promise<Counts> => {
  const counts = sorted(await world.ask(readSettlementQueue, { limit: 0 }));
  later(1);
  return counts;
};
const past = async (at: string): Promise<Counts> => {
  const counts = await world.ask(readPastPayments, { at });
  if ('unknown' in counts) throw new Error(counts.unknown);
  return sorted(counts);
};

const started = (paymentId: string): SettlementRecord => ({
  paymentId,
  step: 'settlement-started',
  holdId: 'h',
  transactionId: 't',
});

describe('the figures of Now as of a moment (docs/how-to/operate-the-console.md)', () => {
  it('equal what Now showed then, through every kind of change', async () => {
    const moments = [await shown()];
    const today = world.payments.clock.date('Europe/Sofia');
    const unsigned = await world.initiate();
    const paid = await world.signed();
    const order = await world.signed(periodicOrder(3, today));
    const bulk = await world.signed(bulkPayment(['1.00', '2.00']));
    const waiting = await world.signed();
    const several = await world.initiateForSeveral();
    moments.push(await shown());

    later(90);
    moments.push(await shown());
    later(60);
    moments.push(await shown());

    await world.record(started(paid.paymentId));
    await world.identified(several, 'georgi');
    moments.push(await shown());
    await world.record({ paymentId: paid.paymentId, step: 'settled', postingId: 'p' });
    const part = world.part(order.paymentId, 1);
    await world.record({ ...part, step: 'settlement-started', holdId: 'h1', transactionId: 't1' });
    moments.push(await shown());
    await world.record({ ...part, step: 'settled', postingId: 'p1' });
    const entry = world.part(bulk.paymentId, 1);
    await world.record({ ...entry, step: 'settlement-started', holdId: 'h2', transactionId: 't2' });
    moments.push(await shown());
    await world.ask(cancelPayment, waiting);
    await world.ask(cancelPayment, unsigned);
    await world.record({ paymentId: paid.paymentId, step: 'entry-booked' });
    moments.push(await shown());

    for (const moment of moments) expect(await past(moment.at)).toEqual(moment);
    expect(
      new Set(moments.map(({ unfinished, later: ofLater }) => JSON.stringify([unfinished, ofLater]))).size,
    ).toBe(moments.length);
  });

  it('count a payment that was unsigned then, and was rejected since because nobody signed it', async () => {
    const { paymentId } = await world.initiate();
    const before = await shown();
    later(24 * 3600);
    await until(async () => (await world.eventTypes(paymentId)).includes('rejected'));
    const after = await shown();
    expect(await past(before.at)).toEqual(before);
    expect(await past(after.at)).toEqual(after);
  });

  it('do not depend on personal data that were erased since', async () => {
    const { paymentId } = await world.signed();
    const bulk = await world.signed(bulkPayment(['1.00', '2.00']));
    const before = await shown();
    await world.record(started(paymentId));
    await world.ask(cancelPayment, bulk);
    await world.sql('UPDATE payments.stream_key SET wrapped = NULL, master_key = NULL, erased_at = now()');
    expect(await past(before.at)).toEqual(before);
  });

  it('are empty for a moment before the first event, and refused for a text that is no moment', async () => {
    expect(await world.ask(readPastPayments, { at: '2000-01-01T00:00:00.000Z' })).toMatchObject({
      position: 0,
      unfinished: [],
      later: 0,
    });
    for (const at of ['', 'yesterday', newId()])
      expect(await catchFailure(world.ask(readPastPayments, { at }))).toBe('fieldMalformed');
  });

  it('are unknown if events since then were archived', async () => {
    const { at } = await shown();
    const [end] = await world.sql('SELECT max(pos)::int AS last FROM payments.log');
    const archived = [Number(end?.['last']) + 1, Number(end?.['last']) + 2];
    await world.sql(
      `INSERT INTO payments.log_archived (first_pos, last_pos, before, hash, month, part) VALUES ($1, $2, '', '', '2026-01', 1)`,
      archived,
    );
    expect(await world.ask(readPastPayments, { at })).toEqual({ unknown: 'archived' });
    await world.sql('DELETE FROM payments.log_archived WHERE first_pos = $1', archived.slice(0, 1));
  });
});
