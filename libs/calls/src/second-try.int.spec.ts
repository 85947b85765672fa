import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import { type Child, startChild } from '@xs2a/local-servers/child';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { createLogger } from '@xs2a/observability/logger';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connectCalls } from '@xs2a/nats/connection';
import { CallClient } from './client.js';
import { read, write } from './testing/twice.contract.js';

const program = fileURLToPath(new URL('../dist/testing/answering-process.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'xs2a-second-try-'));
const work = join(folder, 'work');
const names = ['a', 'b'] as const;

let nats: NatsServer;
let connection: NatsConnection;
let callClient: CallClient;
let instances: Readonly<Record<(typeof names)[number], Child>>;

beforeAll(async () => {
  writeFileSync(work, '');
  nats = await startNats({ dataDir: join(folder, 'nats') });
  const start = (name: string): Child =>
    startChild({
      command: process.execPath,
      args: [program, nats.url, name, work],
      logFile: join(folder, `${name}.log`),
      orphanSignal: 'KILL',
    });
  instances = { a: start('a'), b: start('b') };
  connection = await connectCalls(nats.url, 'client', createLogger('test', 'silent'));
  callClient = new CallClient(connection, { offsetMs: 0, raiseTo: () => undefined });
}, 30_000);
afterAll(async () => {
  await connection.close();
  await Promise.all(
    names.map(async (name) => {
      instances[name].kill('SIGCONT');
      await instances[name].stop('SIGKILL', 0);
    }),
  );
  await nats.stop();
  rmSync(folder, { recursive: true, force: true });
});

let made = 0;
const newId = (): string => `call-${(made += 1)}`;
/** The number of times that the work for this id was started. */
const begun = (id: string): number =>
  readFileSync(work, 'utf8')
    .split('\n')
    .filter((line) => line === id).length;

/** Resolves once both instances reply. */
const bothAnswer = async (): Promise<void> => {
  const heard = new Set<string>();
  const deadline = performance.now() + 15_000;
  while (heard.size < names.length) {
    if (performance.now() > deadline) throw new Error(`only ${[...heard].join()} answers`);
    await callClient.call(read, { id: newId() }).then(
      ({ by }) => heard.add(by),
      () => undefined,
    );
  }
};
beforeEach(bothAnswer, 20_000);

interface Timed {
  readonly id: string;
  readonly failed: boolean;
  readonly ms: number;
}
const timed = async (id: string, answer: Promise<unknown>): Promise<Timed> => {
  const began = performance.now();
  const failed = await answer.then(
    () => false,
    () => true,
  );
  return { id, failed, ms: performance.now() - began };
};
/** Makes calls at a steady rate, without waiting for the replies to earlier ones. */
const steadily = async (count: number, everyMs: number, ask: (id: string) => Promise<unknown>) => {
  const calls: Promise<Timed>[] = [];
  for (let index = 0; index < count; index += 1) {
    const id = newId();
    calls.push(timed(id, ask(id)));
    await pass(everyMs);
  }
  return Promise.all(calls);
};

describe('a service with one of two instances frozen (docs/adr/0024; quality, Reliability)', () => {
  it('completes every read and every write with an idempotency key, delays none by more than 1.2 s, and executes none more than twice', async () => {
    instances.a.kill('SIGSTOP');
    const [reads, writes] = await Promise.all([
      steadily(200, 20, async (id) => callClient.call(read, { id })),
      steadily(200, 20, async (id) => callClient.call(write, { id, key: id })),
    ]);
    instances.a.kill('SIGCONT');
    const all = [...reads, ...writes];
    expect(all.filter(({ failed }) => failed)).toEqual([]);
    expect(Math.max(...all.map(({ ms }) => ms))).toBeLessThan(1200);
    // NATS must have continued to send calls to the frozen instance.
    expect(all.filter(({ ms }) => ms > 400).length).toBeGreaterThan(50);
    await bothAnswer();
    expect(Math.max(...all.map(({ id }) => begun(id)))).toBeLessThanOrEqual(2);
  }, 60_000);

  it('fails non-idempotent calls sent to the frozen instance, and does not start them after their deadline', async () => {
    instances.a.kill('SIGSTOP');
    const once = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const id = newId();
        return timed(id, callClient.call(write, { id }));
      }),
    );
    // The deadlines of the calls passed to the frozen instance expire during these calls.
    await steadily(100, 20, async (id) => callClient.call(read, { id }));
    instances.a.kill('SIGCONT');
    await bothAnswer();
    const failed = once.filter((call) => call.failed);
    expect(failed.length).toBeGreaterThan(5);
    expect(Math.max(...failed.map(({ ms }) => ms))).toBeLessThan(2000);
    expect(failed.map(({ id }) => begun(id)).filter((times) => times > 0)).toEqual([]);
    expect(
      once
        .filter((call) => !call.failed)
        .map(({ id }) => begun(id))
        .every((times) => times === 1),
    ).toBe(true);
  }, 60_000);
});

describe('a slow instance that is working on a call (quality, Reliability)', () => {
  it('keeps the call, which is not sent a second time', async () => {
    const slow = Array.from({ length: 20 }, async () => {
      const id = newId();
      await callClient.call(read, { id, takesMs: 900 });
      return begun(id);
    });
    expect(await Promise.all(slow)).toEqual(Array.from({ length: 20 }, () => 1));
  });
});
