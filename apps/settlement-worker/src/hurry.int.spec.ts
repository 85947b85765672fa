import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { trySettlementNow } from '@xs2a/contracts/settlement.contract';
import { ledgerViolations } from '@xs2a/core-banking/sandbox/ledger/ledger-invariants';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { newId } from '@xs2a/runtime/ids';
import { type Moment, outside, type Step } from './testing/outside.js';
import { type SettlementWorld, startSettlementWorld } from './testing/settlement-world.js';

let world: SettlementWorld;
beforeAll(async () => {
  world = await startSettlementWorld();
}, 90_000);
afterAll(async () => world.stop(), 30_000);
afterEach(async () => {
  outside.interfere = async () => undefined;
  expect(await ledgerViolations(world.bank.pool)).toEqual([]);
});

const tryNow = async (paymentId: string) => world.worker.callClient.call(trySettlementNow, { paymentId });
/** Fails a step of a payment until the returned function is called. */
const failing = (id: string, step: Step, moment: Moment): (() => void) => {
  outside.interfere = async (at, when, ids) => {
    if (at === step && when === moment && ids.includes(id)) throw new TypeError('broken');
  };
  return () => {
    outside.interfere = async () => undefined;
  };
};
/** A due payment that has failed at a step and waits for an hour. */
const failed = async (step: Step, moment: Moment): Promise<{ readonly id: string; repair(): void }> => {
  const id = await world.signed({ from: await world.account(10_000), minor: 2500 });
  const repair = failing(id, step, moment);
  await world.later(61);
  await world.sql(
    "UPDATE settlement.unfinished SET retry_at = now() + interval '1 hour' WHERE payment_id = $1",
    [id],
  );
  return { id, repair };
};
const settledOnce = async (id: string): Promise<void> => {
  expect((await world.state(id)).status).toBe('ACSC');
  expect(await world.transfers(id)).toEqual(['hold', 'post']);
  const types = await world.eventTypes(id);
  for (const type of ['settlement-started', 'settled'])
    expect([type, types.filter((one) => one === type)]).toEqual([type, [type]]);
};

describe('an attempt that an operator does not want to wait for', () => {
  it.each([
    ['hold', 'before'],
    ['hold', 'after'],
    ['started', 'after'],
    ['post', 'before'],
    ['post', 'after'],
    ['settled', 'before'],
  ] as const)('is made now after a failure at %s (%s), and books once', async (step, moment) => {
    const { id, repair } = await failed(step, moment);
    repair();
    expect(await tryNow(id)).toEqual({ hurried: 1, unfinished: 1 });
    await world.drain();
    await settledOnce(id);
    expect(await tryNow(id)).toEqual({ hurried: 0, unfinished: 0 });
  });

  it('books once while attempts by the worker race requests by operators to two instances', async () => {
    const other = await world.another();
    for (let round = 0; round < 5; round += 1) {
      const { id, repair } = await failed('post', 'after');
      const requests = Array.from({ length: 20 }, async (_none, at) => {
        if (at === 10) repair();
        return (at % 2 === 0 ? world.worker : other).callClient.call(trySettlementNow, { paymentId: id });
      });
      const [answers] = await Promise.all([Promise.all(requests), world.drain()]);
      expect(answers.filter(({ hurried }) => hurried === 1).length).toBeGreaterThan(0);
      await world.retryNow();
      await settledOnce(id);
    }
  });

  it('does not repeat an attempt in progress', async () => {
    const { id, repair } = await failed('hold', 'before');
    repair();
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>();
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
    outside.interfere = async (step, moment, ids) => {
      if (step !== 'hold' || moment !== 'after' || !ids.includes(id)) return;
      held();
      await mayGoOn;
    };
    await tryNow(id);
    await isHeld;
    expect(await tryNow(id)).toEqual({ hurried: 0, unfinished: 1 });
    goOn();
    await world.drain();
    await settledOnce(id);
  });

  it('is not made for a payment that has not failed, and starts nothing for an unknown one', async () => {
    const id = await world.signed({ from: await world.account(10_000), minor: 2500 });
    expect(await tryNow(id)).toEqual({ hurried: 0, unfinished: 0 });
    const unknown = newId();
    expect(await tryNow(unknown)).toEqual({ hurried: 0, unfinished: 0 });
    expect(await world.transfers(unknown)).toEqual([]);
    await expect(tryNow('x')).rejects.toThrow(CallFailed);
  });
});
