import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { NatsServer } from '@xs2a/local-servers/nats-server';
import { connectOnce } from '@xs2a/nats/connection';
import { startNatsWithAssets } from '@xs2a/nats/testing/nats-with-assets';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RelayStream } from './jetstream-copy.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-jetstream-copy-'));
let server: NatsServer;
let nats: NatsConnection;
beforeAll(async () => {
  server = await startNatsWithAssets({ dataDir: folder });
  nats = await connectOnce(server.url, 'test');
}, 30_000);
afterAll(async () => {
  await nats.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

it.each([
  ['text', 'BG80BNBG96611020345678 of Petar'],
  ['JSON without position', '{"id":"1"}'],
])('a message of another program, %s, is named by its sequence and never quoted', async (_, body) => {
  const { seq } = await jetstream(nats).publish('xs2a.payments.foreign.0', body);
  const stream = await RelayStream.open(nats, 'payments');
  const found = stream.lastEvent();
  await expect(found).rejects.toThrow(`PAYMENTS holds a message that is not an event, at sequence ${seq}; `);
  await expect(found).rejects.not.toThrow(/BG80|Petar/);
});
