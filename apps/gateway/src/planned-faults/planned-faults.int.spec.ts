import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { plannedFaultBucket } from '@xs2a/contracts/sandbox/planned-faults';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { connectStreams } from '@xs2a/nats/connection';
import { until } from '@xs2a/nats/testing/until';
import { createLogger } from '@xs2a/observability/logger';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlannedFaults } from './planned-faults.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-faults-'));
const logger = createLogger('test', 'silent');
let server: NatsServer;
let nats: NatsConnection;
let gateways: readonly [PlannedFaults, PlannedFaults];
beforeAll(async () => {
  server = await startNats({ dataDir: folder });
  nats = await connectStreams(server.url, 'gateway', logger);
  await new Kvm(nats).create(plannedFaultBucket, { storage: 'memory' });
  gateways = [new PlannedFaults(nats, logger), new PlannedFaults(nats, logger)];
  for (const gateway of gateways) gateway.onModuleInit();
});
afterAll(async () => {
  for (const gateway of gateways) gateway.onApplicationShutdown();
  await nats.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('faults that TPPs plan for their own calls (contract 13)', () => {
  it('hit exactly as many calls as planned, in whichever gateways they arrive at the same time', async () => {
    const [one, other] = gateways;
    await one.plan('tpp-1', 'initiatePayment', { outcome: 'unavailable', calls: 5 });
    await one.plan('tpp-1', 'readPayment', { outcome: 'unavailable', calls: 1 });
    await until(async () => expect(await other.take('tpp-1', 'readPayment')).toBe('unavailable'));
    const taken = await Promise.all(
      Array.from({ length: 12 }, async (_, at) =>
        gateways[at % 2 === 0 ? 0 : 1].take('tpp-1', 'initiatePayment'),
      ),
    );
    expect(taken.filter((outcome) => outcome === 'unavailable')).toHaveLength(5);
    expect(await other.read('tpp-1')).toEqual([]);
  });

  it('concern only the operation and the TPP that planned them', async () => {
    const [one] = gateways;
    await one.plan('tpp-2', 'initiatePayment', { outcome: 'lost-answer', calls: 1 });
    expect(await one.take('tpp-2', 'readPayment')).toBeUndefined();
    expect(await one.take('tpp-3', 'initiatePayment')).toBeUndefined();
    expect(await one.take('tpp-2', 'initiatePayment')).toBe('lost-answer');
    expect(await one.take('tpp-2', 'initiatePayment')).toBeUndefined();
  });

  it('replace each other per operation, and end with none', async () => {
    const [one] = gateways;
    await one.plan('tpp-4', 'readPayment', { outcome: 'unavailable', calls: 3 });
    await one.plan('tpp-4', 'initiatePayment', { outcome: 'unavailable', calls: 3 });
    expect(await one.plan('tpp-4', 'initiatePayment', { outcome: 'too-many-requests', calls: 1 })).toEqual([
      { operation: 'readPayment', outcome: 'unavailable', calls: 3 },
      { operation: 'initiatePayment', outcome: 'too-many-requests', calls: 1 },
    ]);
    await one.plan('tpp-4', 'readPayment', 'none');
    await one.plan('tpp-4', 'initiatePayment', 'none');
    expect(await one.read('tpp-4')).toEqual([]);
    expect(await one.take('tpp-4', 'readPayment')).toBeUndefined();
  });
});
