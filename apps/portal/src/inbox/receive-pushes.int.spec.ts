import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { connectStreams } from '@xs2a/nats/connection';
import { makeAssetsAt } from '@xs2a/nats/jetstream-assets';
import { createLogger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import Fastify, { type FastifyInstance } from 'fastify';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PortalConfig } from '../config.js';
import { InboxAddresses } from './inbox-addresses.js';
import { InboxEntries } from './inbox-entries.js';
import { PlannedAnswers } from './planned-answers.js';
import { receivePushes } from './receive-pushes.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-receive-'));
const logger = createLogger('test', 'silent');
const addresses = new InboxAddresses({ PORTAL_SECRET: ['1'.repeat(32)] } as unknown as PortalConfig);
let server: NatsServer;
let nats: NatsConnection;
let entries: InboxEntries;
let fastify: FastifyInstance;
beforeAll(async () => {
  server = await startNats({ dataDir: folder });
  nats = await connectStreams(server.url, 'portal', logger);
  entries = new InboxEntries(nats);
  fastify = Fastify();
  const planned = new PlannedAnswers(nats);
  await receivePushes(fastify, { addresses, entries, planned, clock: new Clock(true), logger });
}, 30_000);
afterAll(async () => {
  await fastify.close();
  await nats.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('an inbox whose stream is missing (contract 13)', () => {
  it('answers 503, so that the sender tries again, and receives as soon as the stream exists', async () => {
    const id = addresses.newId();
    const url = `/inbox/${addresses.secretOf(id)}`;
    const refused = await fastify.inject({ method: 'POST', url, payload: 'x' });
    expect([refused.statusCode, refused.headers['retry-after'], refused.body]).toEqual([503, '5', '']);
    await makeAssetsAt(server.url, {}, { inboxes: true });
    expect((await fastify.inject({ method: 'POST', url, payload: 'y' })).statusCode).toBe(204);
    const received = await entries.list(id);
    expect(received.map(({ body }) => Buffer.from(body, 'base64url').toString())).toEqual(['y']);
  });

  it('does not ask JetStream about an address that the portal did not make', async () => {
    const url = `/inbox/${'A'.repeat(22)}.${'A'.repeat(22)}`;
    const { inMsgs, outMsgs } = nats.stats();
    expect((await fastify.inject({ method: 'POST', url, payload: 'x' })).statusCode).toBe(404);
    expect(nats.stats()).toMatchObject({ inMsgs, outMsgs });
  });
});
