import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { closeLateInstant } from '@xs2a/contracts/instant/late-instants.contract';
import { newId } from '@xs2a/runtime/ids';
import { discardDeadLetter, listDeadLetters } from '@xs2a/consumers/dead-letters';
import { until } from '@xs2a/nats/testing/until';
import { readMetric } from '@xs2a/observability/testing/read-metric';
import { outside } from './testing/outside.js';
import { type SettlementWorld, startSettlementWorld } from './testing/settlement-world.js';

let world: SettlementWorld;
beforeAll(async () => {
  world = await startSettlementWorld();
}, 60_000);
afterAll(async () => {
  outside.interfere = async () => undefined;
  await world.stop();
}, 30_000);

/** Waits until a metric has these values. The worker measures whenever the clock moves. */
const untilRead = async (name: string, values: Record<string, number>): Promise<void> =>
  until(async () => {
    world.moveClock(1);
    expect(await readMetric(name)).toEqual(values);
  });
const failing = 'xs2a_due_failing';
const letters = 'xs2a_dead_letters';
const late = 'xs2a_instant_confirmed_late';

describe('the metrics of settlement that wait for a retry or an operator (docs/metrics.md)', () => {
  it('count payments that failed, until their settlement succeeds', async () => {
    const paymentId = await world.signed({ from: await world.account(10_000), minor: 100 });
    await untilRead(failing, { '': 0 });
    outside.interfere = async (step) => {
      if (step === 'hold') throw new Error('broken');
    };
    await world.later(61);
    await untilRead(failing, { '': 1 });
    outside.interfere = async () => undefined;
    await world.retryNow();
    await untilRead(failing, { '': 0 });
    expect((await world.state(paymentId)).status).toBe('ACSC');
  }, 30_000);

  it('count dead letters by consumer, until an operator discards them', async () => {
    const { pool } = world.worker;
    if (pool === undefined) throw new Error('the worker has no pool');
    await untilRead(letters, { settlement: 0 });
    await world.stopPublishing();
    world.worker.nats.publish('xs2a.payments.signed.unreadable', 'no event');
    await untilRead(letters, { settlement: 1 });
    for (const letter of await listDeadLetters(pool)) await discardDeadLetter(pool, letter);
    await untilRead(letters, { settlement: 0 });
  }, 30_000);

  it('count instant payments that were confirmed after their rejection, until an operator closes them', async () => {
    const { callClient } = world.worker;
    await untilRead(late, { '': 0 });
    const paymentId = newId();
    await world.sql(
      'INSERT INTO settlement.instant_follow_up (payment_id, confirmed_at) VALUES ($1, now()), (gen_random_uuid(), NULL)',
      [paymentId],
    );
    await untilRead(late, { '': 1 });
    const close = async () => callClient.call(closeLateInstant, { paymentId, number: null });
    expect(await close()).toEqual({ closed: true });
    expect(await close()).toEqual({ closed: false });
    await untilRead(late, { '': 0 });
    for (const number of [0, 1.5, '1'])
      await expect(
        callClient.call(closeLateInstant, { paymentId, number: number as number }),
      ).rejects.toThrow('fieldMalformed');
  }, 30_000);

  it('are absent while the database cannot be read, and not the last known values', async () => {
    await world.sql('ALTER TABLE settlement.unfinished RENAME TO unreadable');
    for (const name of [failing, letters, late]) await untilRead(name, {});
    await world.sql('ALTER TABLE settlement.unreadable RENAME TO unfinished');
    await untilRead(failing, { '': 0 });
  }, 30_000);
});
