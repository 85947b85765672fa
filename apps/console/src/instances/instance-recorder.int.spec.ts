import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Pulse, pulseSubject } from '@xs2a/contracts/pulse.contract';
import { connectCalls } from '@xs2a/nats/connection';
import { createLogger } from '@xs2a/observability/logger';
import { newId } from '@xs2a/runtime/ids';
import { setTimeout as pause } from 'node:timers/promises';
import { type ConsoleWorld, startConsoleWorld } from '../testing/console-world.js';
import { InstanceRecorder } from './instance-recorder.js';

let world: ConsoleWorld;
let nats: Awaited<ReturnType<typeof connectCalls>>;
let instance: string;
beforeAll(async () => {
  world = await startConsoleWorld();
  nats = await connectCalls(world.natsUrl, 'test', createLogger('test', 'silent'));
}, 60_000);
afterAll(async () => {
  await nats.close();
  await world.stop();
});
beforeEach(() => {
  instance = newId();
});

const pulse = (over: Partial<Pulse> = {}): Pulse => ({
  service: 'accounts',
  instance,
  host: 'host-1',
  pid: 7,
  version: '0.1.0',
  startedAt: new Date(Date.now() - 60_000).toISOString(),
  at: new Date().toISOString(),
  isReady: true,
  checks: {},
  degraded: [],
  memoryBytes: 1,
  eventLoopP99Ms: 1,
  unanswered: {},
  ...over,
});
const send = (sent: Pulse): void => nats.publish(pulseSubject(sent), JSON.stringify(sent));

interface Row {
  readonly service: string;
  readonly host: string;
  readonly pid: number;
  readonly last_pulse_at: Date;
  readonly ended: unknown;
}
const stored = async (): Promise<Row | undefined> =>
  (await world.pool.query<Row>('SELECT * FROM instance WHERE id = $1', [instance])).rows[0];
/** Polls until the row is as wanted; Jest's timeout ends the test if it never is. */
const untilStored = async (wanted: (row: Row) => boolean): Promise<Row> => {
  for (;;) {
    const row = await stored();
    if (row !== undefined && wanted(row)) return row;
    await pause(25);
  }
};

describe('the processes that the console has seen', () => {
  it('are one row each, with the time of the last pulse, although two instances write it', async () => {
    const [first, second] = [pulse(), pulse({ at: new Date(Date.now() + 2000).toISOString() })];
    send(first);
    expect(await untilStored(() => true)).toMatchObject({
      service: 'accounts',
      host: 'host-1',
      pid: 7,
      ended: null,
    });
    send(second);
    await untilStored((row) => row.last_pulse_at.toISOString() === second.at);
    const { rows } = await world.pool.query('SELECT FROM instance WHERE id = $1', [instance]);
    expect(rows).toHaveLength(1);
  });

  it('keep how they ended if they said so', async () => {
    send(pulse());
    send(pulse({ ended: { signal: 'SIGTERM' } }));
    expect(await untilStored((row) => row.ended !== null)).toMatchObject({ ended: { signal: 'SIGTERM' } });
  });

  it('are forgotten 30 days after their last pulse, not before', async () => {
    const [recorder] = world.instances.map((one) => one.get(InstanceRecorder));
    const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
    const kept = instance;
    send(pulse({ at: daysAgo(29) }));
    await untilStored(() => true);
    instance = newId();
    send(pulse({ at: daysAgo(31) }));
    await untilStored(() => true);
    await recorder?.forgetOld();
    expect(await stored()).toBeUndefined();
    instance = kept;
    expect(await stored()).toBeDefined();
  });
});
