// Lane: alone (a failed call is measured against a limit of two seconds).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { call } from '@xs2a/contracts/call';
import { startNatsCluster } from '@xs2a/local-servers/nats-cluster';
import { startNats } from '@xs2a/local-servers/nats-server';
import { createLogger } from '@xs2a/observability/logger';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callContext, logFields } from './context.js';
import { callFailed, CallFailed } from '@xs2a/domain/failure/failed';
import type { Failure, FailureName } from '@xs2a/domain/failure/failures';
import { connectCalls } from '@xs2a/nats/connection';
import { Handles } from './handles.js';
import { CallTooLarge } from './message-size.js';
import { BoundedNatsServer } from './server.strategy.js';
import { CallClient } from './client.js';
import { withSharedWrites } from './with-shared-writes.js';

const greet = call<{ name: string }, { text: string; requestId?: string }>(
  'svc.test.greet',
  'not-idempotent',
  500,
);
const refuse = call<Record<string, never>, Record<string, never>>('svc.test.refuse', 'not-idempotent', 500);
const breakDown = call<Record<string, never>, Record<string, never>>('svc.test.break', 'not-idempotent', 500);
const loseDatabase = call<Record<string, never>, Record<string, never>>(
  'svc.test.lose',
  'not-idempotent',
  500,
);
const wait = call<Record<string, never>, Record<string, never>>('svc.test.wait', 'not-idempotent', 5000);
const echo = call<{ letters: number; text?: string }, { text: string }>('svc.test.echo', 'idempotent', 1500);
const nobody = call<Record<string, never>, Record<string, never>>('svc.test.nobody', 'not-idempotent', 500);

/** A hook that a test sets to run while the service handles a call. */
let greeting: (name: string) => void = () => undefined;
let echoed = 0;
let refusal: FailureName = 'resourceUnknown';
let release: () => void = () => undefined;
let held: Promise<void>;

@Controller()
class Greeter {
  @Handles(greet)
  greet({ name }: { name: string }): { text: string; requestId?: string } {
    greeting(name);
    return { text: `hello ${name}`, requestId: callContext.getStore()?.requestId };
  }

  @Handles(refuse)
  async refuse(): Promise<Record<string, never>> {
    throw callFailed(refusal, 'name');
  }

  @Handles(breakDown)
  async break(): Promise<Record<string, never>> {
    throw new TypeError('an IBAN of a customer');
  }

  @Handles(loseDatabase)
  async lose(): Promise<Record<string, never>> {
    throw new Error('database away');
  }

  @Handles(echo)
  echo({ letters }: { letters: number }): { text: string } {
    echoed += 1;
    return { text: 'щ'.repeat(letters) };
  }

  @Handles(wait)
  async wait(): Promise<Record<string, never>> {
    await held;
    return {};
  }
}

@Module({ controllers: [Greeter] })
class GreeterModule {}

class FakeOffset {
  offsetMs = 0;
  raiseTo(offsetMs: number): void {
    this.offsetMs = Math.max(this.offsetMs, offsetMs);
  }
}

/** The plain connection that every service uses, and the same connection with the wrapper that makes it faster. */
const connections: readonly (readonly [string, (nats: NatsConnection) => NatsConnection])[] = [
  ['plain', (nats) => nats],
  ['with shared writes', (nats) => withSharedWrites(nats, createLogger('test', 'silent'))],
];

describe.each(connections)('calls between services, %s (quality, Reliability)', (_name, wrapped) => {
  const logged: Record<string, unknown>[] = [];
  const destination = {
    write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>),
  };
  const logger = createLogger('test', 'warn', { destination, about: logFields });
  const serverClock = new FakeOffset();
  const clientClock = new FakeOffset();
  let stop: () => Promise<void>;
  let callClient: CallClient;
  let server: BoundedNatsServer;
  let serverNats: NatsConnection;
  let clientNats: NatsConnection;

  beforeAll(async () => {
    held = new Promise((resolve) => {
      release = resolve;
    });
    const nats = await startNats({ dataDir: mkdtempSync(join(tmpdir(), 'xs2a-calls-')) });
    serverNats = wrapped(await connectCalls(nats.url, 'server', logger));
    clientNats = wrapped(await connectCalls(nats.url, 'client', logger));
    server = new BoundedNatsServer({
      nats: serverNats,
      service: 'test',
      clock: serverClock,
      logger,
      limit: 4,
      isUnavailable: (error) => error instanceof Error && error.message === 'database away',
    });
    const app = await NestFactory.createMicroservice(GreeterModule, { strategy: server, logger: false });
    await app.listen();
    await serverNats.flush();
    callClient = new CallClient(clientNats, clientClock);
    stop = async () => {
      await app.close();
      await clientNats.close();
      await serverNats.close();
      await nats.stop();
    };
  });

  afterAll(async () => stop());

  const catchFailure = async (answer: Promise<unknown>): Promise<unknown> =>
    answer.then(
      () => 'answered',
      (error: unknown) => (error instanceof CallFailed ? error.failures : error),
    );

  it('pass on the context of the caller and return the response', async () => {
    const answer = await callContext.run({ requestId: 'r-1' }, async () =>
      callClient.call(greet, { name: 'Ivan' }),
    );
    expect(answer).toEqual({ text: 'hello Ivan', requestId: 'r-1' });
  });

  it('each receive their own response when made concurrently', async () => {
    for (let round = 0; round < 50; round += 1) {
      const names = [0, 1, 2, 3].map((index) => `number ${index} of round ${round}`);
      const answers = await Promise.all(names.map((name) => callClient.call(greet, { name })));
      expect(answers.map(({ text }) => text)).toEqual(names.map((name) => `hello ${name}`));
    }
  });

  it('pass on the sandbox clock, so that the clock of a service is never behind that of its caller', async () => {
    clientClock.raiseTo(60_000);
    await callClient.call(greet, { name: 'Ivan' });
    expect(serverClock.offsetMs).toBe(60_000);
  });

  it('return typed failures unchanged, and dependencyDown for one that only a newer release knows', async () => {
    expect(await catchFailure(callClient.call(refuse, {}))).toEqual([
      { failure: 'resourceUnknown', path: 'name' },
    ]);
    refusal = 'addedByTheNextRelease' as FailureName;
    expect(await catchFailure(callClient.call(refuse, {}))).toMatchObject([{ failure: 'dependencyDown' }]);
    refusal = 'resourceUnknown';
  });

  it('reveal nothing about an internal error', async () => {
    expect(await catchFailure(callClient.call(breakDown, {}))).toEqual([{ failure: 'internal' }]);
  });

  it.each([
    ['of our own', breakDown],
    ['of a dependency', loseDatabase],
  ])('include the request id in the log of a failure %s', async (_reason, failing) => {
    logged.length = 0;
    await callContext.run({ requestId: 'r-1', actor: 'tpp-1' }, async () =>
      catchFailure(callClient.call(failing, {})),
    );
    expect(logged).toEqual([expect.objectContaining({ requestId: 'r-1' })]);
  });

  it('include the request id and the trace id in every log line along the way', async () => {
    logged.length = 0;
    greeting = () => logger.warn('greeting');
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`;
    await callContext.run({ requestId: 'r-5', traceparent }, async () =>
      callClient.call(greet, { name: 'Ivan' }),
    );
    logger.warn('outside of any call');
    expect(logged.map(({ msg, requestId, trace_id: traceId }) => [msg, requestId, traceId])).toEqual([
      ['greeting', 'r-5', 'a'.repeat(32)],
      ['outside of any call', undefined, undefined],
    ]);
  });

  it('fail immediately if the request or the reply exceeds the NATS size limit, are not retried, and do not affect other calls', async () => {
    logged.length = 0;
    echoed = 0;
    const letters = 1_200_000;
    const others = async (): Promise<unknown> =>
      Promise.all(['a', 'b'].map(async (name) => (await callClient.call(greet, { name })).text));
    const [answer, others1] = await Promise.all([catchFailure(callClient.call(echo, { letters })), others()]);
    expect([answer, others1, echoed]).toEqual([[{ failure: 'internal' }], ['hello a', 'hello b'], 1]);
    const reported = logged.filter(({ subject }) => subject === echo.subject);
    expect(reported).toEqual([expect.objectContaining({ bytes: expect.any(Number) })]);
    const request = { letters: 1, text: 'щ'.repeat(letters) };
    const [refused, others2] = await Promise.all([catchFailure(callClient.call(echo, request)), others()]);
    expect([refused, others2, echoed]).toEqual([new CallTooLarge(echo.subject), ['hello a', 'hello b'], 1]);
    expect((await callClient.call(echo, { letters: 1000 })).text).toHaveLength(1000);
  });

  it('fail with dependencyDown, which names the database or the service that does not reply', async () => {
    const before = callClient.unanswered.lastMinute()['test'] ?? 0;
    expect(await catchFailure(callClient.call(loseDatabase, {}))).toEqual([down('postgres')]);
    expect(callClient.unanswered.lastMinute()['test'] ?? 0).toBe(before);
    expect(await catchFailure(callClient.call(nobody, {}))).toEqual([down('test')]);
    expect(callClient.unanswered.lastMinute()).toEqual({ test: before + 1 });
  });

  it.each([
    ['', 'is not a call'],
    ['{', 'is not a call'],
    ['null', 'is not a call'],
    ['7', 'is not a call'],
    ['[]', 'is not a call'],
    ['{}', 'is not a call'],
    ['{"deadline":9e15,"request":null}', 'is not a call'],
    ['{"context":null,"deadline":9e15,"request":{}}', 'is not a call'],
    ['{"context":{},"deadline":9e15,"request":{}}', 'is not a call'],
    ['{"context":{"requestId":"r","traceparent":7},"deadline":9e15,"request":{}}', 'is not a call'],
    ['{"id":7,"deadline":9e15,"request":{}}', 'is not a call'],
    ['{"deadline":"soon","request":{}}', 'is not a call'],
    ['{"request":{}}', 'is not a call'],
    ['{"deadline":9e15,"request":{"name":7}}', 'unexpected error'],
  ])(
    'are refused immediately if the message is malformed (%j), and later calls still work',
    async (message, reason) => {
      logged.length = 0;
      greeting = (name) => name.trim();
      const { data } = await clientNats.request(greet.subject, message, { timeout: 500 });
      expect(JSON.parse(Buffer.from(data).toString())).toEqual({ failures: [{ failure: 'internal' }] });
      expect(logged).toEqual([
        expect.objectContaining({ subject: greet.subject, msg: expect.stringContaining(reason) }),
      ]);
      expect(await callClient.call(greet, { name: 'Ivan' })).toMatchObject({ text: 'hello Ivan' });
    },
  );

  it('are refused immediately above the limit, and accepted ones are finished before the service stops', async () => {
    const taken = Array.from({ length: 4 }, async () => catchFailure(callClient.call(wait, {})));
    const beyond = await Promise.all(
      Array.from({ length: 3 }, async () => catchFailure(callClient.call(wait, {}))),
    );
    expect(beyond).toEqual(Array.from({ length: 3 }, () => [down('test')]));
    const closed = server.close();
    release();
    expect(await Promise.all(taken)).toEqual(['answered', 'answered', 'answered', 'answered']);
    await closed;
    expect(await catchFailure(callClient.call(greet, { name: 'Ivan' }))).toEqual([down('test')]);
  });
});

describe.each(connections)('a call in progress when the connection is lost, %s', (_name, wrapped) => {
  it('fails immediately, because its reply can no longer arrive', async () => {
    const server = await startNats({ dataDir: mkdtempSync(join(tmpdir(), 'xs2a-calls-')) });
    const logger = createLogger('test', 'silent');
    const [asked, asking] = [
      await connectCalls(server.url, 'server', logger),
      wrapped(await connectCalls(server.url, 'client', logger)),
    ];
    const received = new Promise<void>((resolve) => {
      asked.subscribe('svc.test.slow', { callback: () => resolve() });
    });
    await asked.flush();
    const slow = call<Record<string, never>, Record<string, never>>(
      'svc.test.slow',
      'not-idempotent',
      30_000,
    );
    const answer = new CallClient(asking, new FakeOffset()).call(slow, {}).catch((error: unknown) => error);
    await received;
    server.kill();
    expect(await answer).toMatchObject({ failures: [down('nats')] });
    await Promise.all([asked.close(), asking.close()]);
  }, 15_000);
});

describe.each(connections)('a long call (quality: "no request hangs"), %s', (_name, wrapped) => {
  const logger = createLogger('test', 'silent');
  let release: () => void;
  let taken: () => void;
  let isTaken: Promise<void>;
  let stage: { asked: NatsConnection; asking: NatsConnection; stop: () => Promise<void> };

  @Controller()
  class Sleeper {
    @Handles(wait)
    async wait(): Promise<Record<string, never>> {
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      taken();
      await released;
      return {};
    }
  }
  @Module({ controllers: [Sleeper] })
  class SleeperModule {}

  beforeAll(async () => {
    const nats = await startNats({ dataDir: mkdtempSync(join(tmpdir(), 'xs2a-calls-')) });
    const [asked, asking] = [
      wrapped(await connectCalls(nats.url, 'server', logger)),
      wrapped(await connectCalls(nats.url, 'client', logger)),
    ];
    const strategy = new BoundedNatsServer({
      nats: asked,
      service: 'test',
      clock: new FakeOffset(),
      logger,
      isUnavailable: () => false,
    });
    const app = await NestFactory.createMicroservice(SleeperModule, { strategy, logger: false });
    await app.listen();
    isTaken = new Promise((resolve) => {
      taken = resolve;
    });
    const stop = async (): Promise<void> => {
      await app.close();
      await Promise.all([asked.close(), asking.close()]);
      await nats.stop();
    };
    stage = { asked, asking, stop };
  });
  afterAll(async () => stage.stop());

  it('continues while heartbeats arrive, and receives its response', async () => {
    const answer = new CallClient(stage.asking, new FakeOffset()).call(wait, {});
    const heartbeats = stage.asking.subscribe('heartbeat._INBOX.>', { max: 4 });
    // Receiving four heartbeats takes longer than the idle timeout.
    for await (const { data } of heartbeats) expect(data.length).toBe(0);
    release();
    expect(await answer).toEqual({});
  });

  it('fails in under two seconds if the called service dies', async () => {
    const began = performance.now();
    isTaken = new Promise((resolve) => {
      taken = resolve;
    });
    const answer = new CallClient(stage.asking, new FakeOffset())
      .call(wait, {})
      .catch((error: unknown) => error);
    await isTaken;
    await stage.asked.close();
    expect(await answer).toMatchObject({ failures: [{ failure: 'dependencyDown', retryAfter: 1 }] });
    expect(performance.now() - began).toBeLessThan(2000);
    release();
  });
});

const down = (dependency: string): Failure => ({ failure: 'dependencyDown', retryAfter: 1, dependency });

describe('the death of a NATS server in a cluster (quality: reliability)', () => {
  it('makes at most the current call fail, and later calls wait until both sides are connected again', async () => {
    const cluster = await startNatsCluster({ dataDir: mkdtempSync(join(tmpdir(), 'xs2a-calls-')) });
    const logger = createLogger('test', 'silent');
    const asked = await connectCalls(cluster.url, 'server', logger);
    const asking = await connectCalls(cluster.url, 'client', logger);
    asked.subscribe('svc.test.echo', { callback: (_, message) => void message.respond('{"ok":{}}') });
    await asked.flush();
    const echo = call<Record<string, never>, Record<string, never>>('svc.test.echo', 'not-idempotent', 500);
    const callClient = new CallClient(asking, new FakeOffset());
    for (const side of [asked, asking]) {
      const victim = cluster.nodes.findIndex(({ port }) => side.getServer().endsWith(`:${port}`));
      const failed: unknown[] = [];
      for (let calls = 0; calls < 300; calls += 1) {
        if (calls === 100) cluster.nodes[victim]?.kill();
        await callClient.call(echo, {}).catch((error: unknown) => failed.push(error));
      }
      expect(failed.length).toBeLessThanOrEqual(1);
      await cluster.nodes[victim]?.exited;
      await cluster.restart(victim);
    }
    await Promise.all([asked.close(), asking.close()]);
    await cluster.stop();
  }, 60_000);
});
