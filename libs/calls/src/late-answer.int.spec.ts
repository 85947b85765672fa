import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import { Controller, type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { drainSettlement } from '@xs2a/contracts/settlement.contract';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { connectCalls } from '@xs2a/nats/connection';
import { natsConfiguration } from '@xs2a/nats/permissions/server-configuration';
import { createLogger } from '@xs2a/observability/logger';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CallClient } from './client.js';
import { Handles } from './handles.js';
import { BoundedNatsServer } from './server.strategy.js';

/** The work of the service, which the test starts and ends. */
let work: () => Promise<void>;

@Controller()
class Settlement {
  @Handles(drainSettlement)
  async drain(): Promise<Record<string, never>> {
    await work();
    return {};
  }
}
@Module({ controllers: [Settlement] })
class SettlementModule {}

const folder = mkdtempSync(join(tmpdir(), 'xs2a-late-'));
const clock = { offsetMs: 0, raiseTo: (): void => undefined };
const logged: Record<string, unknown>[] = [];
const logger = createLogger('test', 'warn', {
  destination: { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
});
let server: NatsServer;
let serviceNats: NatsConnection;
let gatewayNats: NatsConnection;
let app: INestMicroservice;

beforeAll(async () => {
  // The permission to reply expires after a millisecond instead of 30 seconds.
  const accounts = natsConfiguration(() => '"secret"').replaceAll('expires: "30s"', 'expires: "1ms"');
  server = await startNats({ dataDir: folder, accounts });
  const urlOf = (user: string): string => server.url.replace('//', `//${user}:secret@`);
  serviceNats = await connectCalls(urlOf('settlement-worker'), 'service', logger);
  gatewayNats = await connectCalls(urlOf('gateway'), 'gateway', logger);
  const strategy = new BoundedNatsServer({
    nats: serviceNats,
    service: 'settlement',
    clock,
    logger,
    isUnavailable: () => false,
  });
  app = await NestFactory.createMicroservice(SettlementModule, { strategy, logger: false });
  await app.listen();
}, 30_000);
afterAll(async () => {
  jest.restoreAllMocks();
  await Promise.all([gatewayNats.close(), serviceNats.close()]);
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('sends no reply once the timeout of the caller is long past, because NATS would refuse it (quality, Reliability)', async () => {
  const begun = Promise.withResolvers<void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  work = async () => {
    begun.resolve();
    await ended;
  };
  const heartbeats = gatewayNats.subscribe('heartbeat._INBOX.gateway.>', { max: 2 });
  const answer = new CallClient(gatewayNats, clock)
    .call(drainSettlement, {})
    .catch((error: unknown) => error);
  await begun.promise;
  // Heartbeats continue after the permission to reply has expired.
  for await (const { data } of heartbeats) expect(data.length).toBe(0);
  // On a busy machine, the reply to the inquiry before the second attempt is late too.
  await serviceNats.flush();
  logged.length = 0;
  const now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => now + 40_000);
  end();
  await app.close();
  // Any error from NATS has arrived before the reply to this flush.
  await serviceNats.flush();
  expect(logged.map(({ msg }) => msg)).toEqual([
    'a call finished after its caller had given up; its answer is discarded',
  ]);
  await gatewayNats.close();
  expect(await answer).toMatchObject({ failures: [{ failure: 'dependencyDown' }] });
}, 20_000);
