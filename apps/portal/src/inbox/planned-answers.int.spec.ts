import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { inboxFailureBucket } from '@xs2a/contracts/portal/inbox';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { connectStreams } from '@xs2a/nats/connection';
import { makeAssetsAt } from '@xs2a/nats/jetstream-assets';
import { natsConfiguration } from '@xs2a/nats/permissions/server-configuration';
import { createLogger } from '@xs2a/observability/logger';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlannedAnswers } from './planned-answers.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-planned-'));
const logger = createLogger('test', 'silent');
let server: NatsServer;
let connections: readonly NatsConnection[];
let operator: NatsConnection;
let instances: readonly [PlannedAnswers, PlannedAnswers];
const urlOf = (user: string): string => `nats://${user}:password-of-${user}@127.0.0.1:${server.port}`;
beforeAll(async () => {
  const accounts = natsConfiguration((user) => JSON.stringify(`password-of-${user}`));
  server = await startNats({ dataDir: folder, accounts });
  await makeAssetsAt(urlOf('migration'), {}, { inboxes: true });
  const [one, other] = [
    await connectStreams(urlOf('portal'), 'portal', logger),
    await connectStreams(urlOf('portal'), 'portal', logger),
  ];
  operator = await connectStreams(urlOf('operator'), 'operator', logger);
  connections = [one, other, operator];
  instances = [new PlannedAnswers(one), new PlannedAnswers(other)];
}, 30_000);
afterAll(async () => {
  for (const connection of connections) await connection.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('answers that an inbox gives on purpose (contract 13)', () => {
  it('are exactly as many as planned, whichever instances of the portal the pushes reach at the same time', async () => {
    const [one, other] = instances;
    const id = randomUUID();
    await one.plan(id, { failure: 'HTTP 500', answers: 5 });
    expect(await other.read(id)).toEqual({ failure: 'HTTP 500', answers: 5 });
    const taken = await Promise.all(
      Array.from({ length: 12 }, async (_, at) => instances[at % 2 === 0 ? 0 : 1].take(id)),
    );
    expect(taken.filter((failure) => failure === 'HTTP 500')).toHaveLength(5);
    expect(await other.read(id)).toBeUndefined();
  });

  it('concern one inbox; a new plan replaces the former, and an empty one ends it', async () => {
    const [one, other] = instances;
    const id = randomUUID();
    await one.plan(id, { failure: 'HTTP 500', answers: 10 });
    await other.plan(id, { failure: 'no answer', answers: 2 });
    expect(await one.take(randomUUID())).toBeUndefined();
    expect(await one.take(id)).toBe('no answer');
    await other.plan(id, undefined);
    expect([await one.take(id), await one.read(id)]).toEqual([undefined, undefined]);
    await one.plan(id, { failure: 'HTTP 500', answers: 1 });
    expect([await other.take(id), await one.take(id)]).toEqual(['HTTP 500', undefined]);
  });

  it('are forgotten with the entries of the inbox, after a day', async () => {
    const { streams } = await jetstreamManager(operator);
    const { config } = await streams.info(`KV_${inboxFailureBucket}`);
    expect(config.max_age).toBe(24 * 3600 * 1_000_000_000);
  });
});
