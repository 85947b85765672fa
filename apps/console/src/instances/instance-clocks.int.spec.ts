import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Pulse, pulseSubject } from '@xs2a/contracts/pulse.contract';
import { connectCalls } from '@xs2a/nats/connection';
import { until } from '@xs2a/nats/testing/until';
import { createLogger } from '@xs2a/observability/logger';
import { readMetric } from '@xs2a/observability/testing/read-metric';
import { createPool } from '@xs2a/postgres/pool';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { askDatabase } from '@xs2a/runtime/metrics/clock-difference';
import { type ConsoleWorld, startConsoleWorld } from '../testing/console-world.js';
import { InstanceClocks } from './instance-clocks.js';

let world: ConsoleWorld;
let nats: Awaited<ReturnType<typeof connectCalls>>;
beforeAll(async () => {
  world = await startConsoleWorld();
  nats = await connectCalls(world.natsUrl, 'test', createLogger('test', 'silent'));
}, 60_000);
afterAll(async () => {
  await nats.close();
  await world.stop();
});

const realTime = new Clock(false);
const differences = async (): Promise<Record<string, number>> => readMetric('xs2a_clock_difference_seconds');

describe('the clock of PostgreSQL (docs/metrics.md)', () => {
  const difference = async (): Promise<number | undefined> => (await differences())['postgres'];
  /** The clock of a host that is ahead by this many seconds. */
  const ahead = (seconds: number): Clock => new Clock(true, () => realTime.nowMs() + seconds * 1000);

  it('is compared by the readiness check, in real time even if the sandbox clock was moved', async () => {
    for (const seconds of [0, 30, -30]) {
      const clock = ahead(seconds);
      clock.raiseTo(3_600_000);
      await until(async () => {
        await askDatabase(world.pool, clock);
        expect(await difference()).toBeCloseTo(-seconds, 0);
      });
    }
  });

  it('has no known difference after a reply that was slow, or if there was none', async () => {
    const pool = createPool({ url: world.databaseUrl, name: 'busy', max: 1 });
    const known = async (): Promise<void> => {
      await askDatabase(world.pool, ahead(0));
      expect(await difference()).toBeDefined();
    };
    try {
      await until(known);
      const client = await pool.connect();
      const asked = askDatabase(pool, ahead(90));
      // The only connection is in use meanwhile.
      await client.query('SELECT pg_sleep(0.3)');
      client.release();
      await asked;
      expect(await difference()).toBeUndefined();
      await until(known);
    } finally {
      await pool.end();
    }
    await expect(askDatabase(pool, ahead(0))).rejects.toThrow(/after calling end on the pool/);
    expect(await difference()).toBeUndefined();
  });
});

describe('the clocks of processes (docs/metrics.md)', () => {
  const [one, other, auth] = [newId(), newId(), newId()];
  const send = (service: Pulse['service'], instance: string, aheadSeconds: number): void => {
    const at = new Date(realTime.nowMs() + aheadSeconds * 1000).toISOString();
    const pulse: Partial<Pulse> = {
      service,
      instance,
      host: 'h',
      pid: 1,
      version: '0.1.0',
      startedAt: at,
      at,
    };
    nats.publish(pulseSubject({ service, instance }), JSON.stringify(pulse));
  };
  /** Sends pulses until the console has measured these differences, in whole seconds. */
  const untilMeasured = async (sendAll: () => void, wanted: Record<string, number>): Promise<void> =>
    until(async () => {
      sendAll();
      await nats.flush();
      world.instances[0]?.get(InstanceClocks).measure();
      const { postgres: _postgres, ...found } = await differences();
      const rounded = Object.entries(found).map(([name, seconds]) => [name, Math.round(seconds) || 0]);
      expect(Object.fromEntries(rounded)).toEqual(wanted);
    });

  it('are compared by the soonest pulse of each process; the process that differs most counts', async () => {
    await untilMeasured(
      () => {
        send('gateway', one, 0);
        // It waited in a buffer while NATS was down.
        send('gateway', one, -90);
        send('gateway', other, 30);
        send('auth', auth, -20);
      },
      { gateway: 30, auth: -20 },
    );
  });

  it('are no longer reported for services from which no pulse comes', async () => {
    await untilMeasured(() => send('auth', auth, 0), { auth: 0 });
  });
});
