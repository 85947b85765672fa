import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as contract from '@xs2a/contracts/payments.contract';
import { until } from '@xs2a/nats/testing/until';
import { changeOf, readMetric } from '@xs2a/observability/testing/read-metric';
import { type PaymentsWorld, startPaymentsWorld } from '../testing/payments-world.js';
import { unfinishedPayments } from '../settle/unfinished-payments.js';

let world: PaymentsWorld;
beforeAll(async () => {
  world = await startPaymentsWorld();
}, 60_000);
afterAll(async () => world.stop());

/** Both instances measure whenever the clock moves. */
const later = (seconds: number): void => {
  for (const { clock } of [world.payments, world.second]) clock.raiseTo(clock.offsetMs + seconds * 1000);
};
/** Returns the values of a metric that are not 0. */
const read = async (name: string): Promise<Record<string, number>> =>
  Object.fromEntries(Object.entries(await readMetric(name)).filter(([, value]) => value !== 0));
const untilRead = async (name: string, wanted: object): Promise<void> =>
  until(async () => {
    later(0.001);
    expect(await read(name)).toEqual(wanted);
  });
const record = async (...records: readonly contract.SettlementRecord[]): Promise<void> => {
  await world.ask(contract.recordSettlement, { records });
};

describe('the metrics of payments (docs/metrics.md)', () => {
  it('count unfinished payments by status, and name the age of the oldest that is due', async () => {
    await world.initiate();
    await untilRead('xs2a_payments_unfinished', { 'RCVD unsigned': 1 });
    const { paymentId } = await world.signed();
    // It is due in a minute.
    await untilRead('xs2a_payments_unfinished', { 'RCVD unsigned': 1 });
    expect(await read('xs2a_payments_oldest_seconds')).toEqual({});
    later(90);
    await untilRead('xs2a_payments_unfinished', { 'RCVD unsigned': 1, 'ACCP due': 1 });
    later(60);
    await untilRead('xs2a_payments_unfinished', { 'RCVD unsigned': 1, 'ACCP overdue': 1 });
    const { ACCP: seconds, ...others } = await read('xs2a_payments_oldest_seconds');
    expect(others).toEqual({});
    expect(seconds).toBeGreaterThan(85);
    expect(seconds).toBeLessThan(110);
    await record({ paymentId, step: 'settlement-started', holdId: 'h', transactionId: 't' });
    await untilRead('xs2a_payments_unfinished', { 'RCVD unsigned': 1, 'ACSP overdue': 1 });
    await record({ paymentId, step: 'settled', postingId: 'p' });
    await untilRead('xs2a_payments_unfinished', { 'RCVD unsigned': 1 });
    later(301);
    await untilRead('xs2a_payments_unfinished', { 'RCVD unsigned': 1, 'ACSC due': 1 });
    await record({ paymentId, step: 'entry-booked' });
    await untilRead('xs2a_payments_unfinished', { 'RCVD unsigned': 1 });
  }, 30_000);

  it('count payments that have ended by their final status, each once', async () => {
    const change = await changeOf('xs2a_payments_ended_total', async () => {
      const [settled, unfunded, cancelled] = [
        await world.signed(),
        await world.signed(),
        await world.signed(),
      ];
      later(61);
      const { paymentId } = settled;
      await record(
        { paymentId, step: 'settlement-started', holdId: 'h', transactionId: 't' },
        { paymentId: unfunded.paymentId, step: 'funds-refused', reason: 'insufficient-funds' },
      );
      for (const _again of [1, 2]) await record({ paymentId, step: 'settled', postingId: 'p' });
      await world.ask(contract.cancelPayment, cancelled);
      await record({ paymentId, step: 'entry-booked' });
    });
    expect(change).toEqual({ ACSC: 1, ACCP: 1, CANC: 1 });
  });

  it('count payments that are rejected because nobody signed them', async () => {
    await world.initiate();
    const { RJCT: before = 0 } = await read('xs2a_payments_ended_total');
    later(86_400);
    await until(async () =>
      expect((await read('xs2a_payments_ended_total'))['RJCT']).toBeGreaterThan(before),
    );
    await untilRead('xs2a_payments_unfinished', {});
  });

  it('are read in the order of indexes, so that neither old nor future payments cost anything', async () => {
    const session = await world.session();
    try {
      await session.query(
        'SET search_path = payments; SET enable_seqscan = off; SET enable_bitmapscan = off',
      );
      const { rows } = await session.query<{ 'QUERY PLAN': string }>({
        text: `EXPLAIN ${unfinishedPayments}`,
        values: [new Date(world.payments.clock.nowMs()).toISOString(), 10],
      });
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toMatch(/Index Scan using payment_unsigned/);
      expect(plan).toMatch(/Index Scan using payment_due /);
      expect(plan.split('Append')[1]).not.toMatch(/Sort|Seq Scan/);
    } finally {
      session.release();
    }
  });
});
