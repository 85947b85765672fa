import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { drainSettlement } from '@xs2a/contracts/settlement.contract';
import { addDays } from '@xs2a/domain/time/bank-calendar';
import { type SettlementWorld, startSettlementWorld } from './testing/settlement-world.js';

let world: SettlementWorld;
beforeAll(async () => {
  world = await startSettlementWorld();
}, 90_000);
afterAll(async () => world.stop(), 30_000);

it('when the clock moves by decades, the worker replies within the time limit and continues to settle (quality, Reliability)', async () => {
  const from = await world.account(10_000_000);
  const startDate = addDays(world.worker.clock.date('Europe/Sofia'), 1);
  const order = await world.signedOrder({ from, minor: 1 }, { startDate, frequency: 'Daily' });
  const begun = performance.now();
  world.moveClock(40 * 366 * 86_400);
  await expect(world.worker.callClient.call(drainSettlement, {})).rejects.toMatchObject({
    failures: [{ failure: 'dependencyDown' }],
  });
  // The caller's timeout is 10 s.
  expect(performance.now() - begun).toBeLessThan(9000);
  const settled = async (): Promise<number> =>
    (await world.eventTypes(order)).filter((type) => type === 'transaction-settled').length;
  const before = await settled();
  while ((await settled()) === before);
}, 30_000);
