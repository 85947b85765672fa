import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import { call } from '@xs2a/contracts/call';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { connectCalls } from '@xs2a/nats/connection';
import { createLogger } from '@xs2a/observability/logger';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CallClient } from './client.js';
import { BoundedNatsServer } from './server.strategy.js';

const read = call<object, object>('svc.payments.read', 'idempotent');
const folder = mkdtempSync(join(tmpdir(), 'xs2a-start-without-nats-'));
const clock = { offsetMs: 0, raiseTo: (): void => undefined };
const logger = createLogger('test', 'silent');
let server: NatsServer;
let nats: NatsConnection;
beforeAll(async () => {
  server = await startNats({ dataDir: folder });
  nats = await connectCalls(server.url, 'test', logger);
}, 30_000);
afterAll(async () => {
  await nats.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Resolves once one attempt of the connection to reconnect to a NATS server has failed. */
const failedToReconnect = async (): Promise<void> => {
  let tries = 0;
  for await (const { type } of nats.status()) {
    if (type === 'reconnecting') tries += 1;
    if (tries === 2) return;
  }
};

const listenTo = async (service: BoundedNatsServer): Promise<unknown> =>
  new Promise((resolve) => void service.listen(resolve));

it('a service that loses NATS during its start becomes ready and receives calls once NATS is up again', async () => {
  const service = new BoundedNatsServer({
    nats,
    service: 'payments',
    clock,
    logger,
    isUnavailable: () => false,
  });
  service.addHandler(read.subject, async () => Promise.resolve({}));
  const failed = failedToReconnect();
  const { port } = server;
  await server.stop();
  const listening = listenTo(service);
  await failed;
  server = await startNats({ dataDir: folder, port });
  expect(await listening).toBeUndefined();
  expect(await new CallClient(nats, clock).call(read, {})).toEqual({});
  await service.close();
}, 30_000);

it('a service whose NATS connection is closed during its start reports the reason', async () => {
  const closed = await connectCalls(server.url, 'closed', logger);
  const service = new BoundedNatsServer({
    nats: closed,
    service: 'payments',
    clock,
    logger,
    isUnavailable: () => false,
  });
  await closed.close();
  expect(await listenTo(service)).toMatchObject({ message: 'closed connection' });
});
