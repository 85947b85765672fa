import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Controller, type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { call } from '@xs2a/contracts/call';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { connectCalls } from '@xs2a/nats/connection';
import { createLogger } from '@xs2a/observability/logger';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CallClient } from './client.js';
import { Handles } from './handles.js';
import { BoundedNatsServer } from './server.strategy.js';

const settle = call<object, object>('svc.payments.sandbox.settle', 'idempotent');
const read = call<object, object>('svc.payments.read', 'idempotent');
let settled = 0;

@Controller()
class Payments {
  @Handles(settle)
  settle(): object {
    settled += 1;
    return {};
  }

  @Handles(read)
  read(): object {
    return {};
  }
}
@Module({ controllers: [Payments] })
class PaymentsModule {}

const folder = mkdtempSync(join(tmpdir(), 'xs2a-sandbox-calls-'));
const clock = { offsetMs: 0, raiseTo: (): void => undefined };
const logger = createLogger('test', 'silent');
let server: NatsServer;
beforeAll(async () => {
  server = await startNats({ dataDir: folder });
}, 30_000);
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

it.each([
  ['not outside the sandbox, even if a gateway sends them', true, 0],
  ['in the sandbox', false, 1],
])('calls of the sandbox are received: %s', async (_where, withoutSandboxCalls, expected) => {
  settled = 0;
  const nats = await connectCalls(server.url, 'test', logger);
  const strategy = new BoundedNatsServer({
    nats,
    service: 'payments',
    clock,
    logger,
    isUnavailable: () => false,
    withoutSandboxCalls,
  });
  const app: INestMicroservice = await NestFactory.createMicroservice(PaymentsModule, {
    strategy,
    logger: false,
  });
  await app.listen();
  const callClient = new CallClient(nats, clock);
  await callClient.call(settle, {}).catch(() => undefined);
  expect(await callClient.call(read, {})).toEqual({});
  expect(settled).toBe(expected);
  await app.close();
  await nats.close();
});
