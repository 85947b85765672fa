import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { dependencyDown } from '@xs2a/domain/failure/failed';
import { until } from '@xs2a/nats/testing/until';
import { metrics } from '@xs2a/observability/metrics';
import { setTimeout as wait } from 'node:timers/promises';
import { ActiveWorker } from './active-worker.js';
import { outside } from './testing/outside.js';
import { ignoreFailedCall, type SettlementWorld, startSettlementWorld } from './testing/settlement-world.js';

let world: SettlementWorld;
beforeAll(async () => {
  world = await startSettlementWorld();
}, 90_000);
afterAll(async () => world.stop(), 30_000);
afterEach(() => void jest.restoreAllMocks());

const degraded = async (): Promise<readonly string[]> => {
  const { ok, degraded: found } = await world.worker.health.ready();
  expect(ok).toBe(true);
  return found;
};

it('a worker reports when no worker is active, and nothing while any worker is (architecture, Settlement)', async () => {
  const now = performance.now.bind(performance);
  let skippedMs = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now() + skippedMs);
  const skip = (): void => {
    skippedMs += 30_000;
  };
  const { pool } = world.worker;
  if (pool === undefined) throw new Error('no pool');
  // After this pause, only a worker that is active, or that sees an active one, continues to report no
  // problem.
  skip();
  while ((await degraded()).length > 0) await wait(5);

  // A session with the worker's own role holds the lock but does not settle.
  const session = await pool.connect();
  await session.query(`UPDATE session_lock SET term = term + 1, pid = own.pid, session_start = own.backend_start
    FROM pg_stat_get_activity(pg_backend_pid()) AS own WHERE name = 'settlement'`);
  await session.query(
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name LIKE 'settlement active %'",
  );
  const isStandby = async (): Promise<boolean> =>
    (await pool.query("SELECT FROM pg_stat_activity WHERE application_name LIKE 'settlement standby %'")).rows
      .length > 0;
  while (!(await isStandby())) await wait(5);
  skip();
  expect(await degraded()).toEqual(['settlement: no active settlement worker']);

  await session.query("SET application_name = 'settlement active elsewhere'");
  while ((await degraded()).length > 0) await wait(5);
  session.release(true);
  const id = await world.signed({ from: await world.account(1000), minor: 1000 });
  let left = await world.later(61).catch((error: unknown) => error);
  while (left !== undefined) left = await world.drain().catch((error: unknown) => error);
  expect((await world.state(id)).status).toBe('ACSC');
  skip();
  expect(await degraded()).toEqual([]);
}, 60_000);

it('a worker that is no longer active does not report overdue payments (metric xs2a_due_oldest_seconds)', async () => {
  const oldest = async (): Promise<number | undefined> =>
    (await metrics.getSingleMetric('xs2a_due_oldest_seconds')?.get())?.values[0]?.value;
  outside.interfere = async (step) => {
    if (step === 'hold') throw dependencyDown();
  };
  await world.signed({ from: await world.account(1000), minor: 1000 });
  await world.later(600).catch(ignoreFailedCall);
  await until(async () => expect(await oldest()).toBeGreaterThan(60));
  await world.worker.get(ActiveWorker).onApplicationShutdown();
  expect(await oldest()).toBe(0);
}, 60_000);
