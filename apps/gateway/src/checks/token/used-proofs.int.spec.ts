import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { startNatsCluster, untilDone } from '@xs2a/local-servers/nats-cluster';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { dpopProofBucket } from '@xs2a/contracts/auth.contract';
import { connectStreams } from '@xs2a/nats/connection';
import { createLogger } from '@xs2a/observability/logger';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsedProofs } from './used-proofs.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-proofs-'));
let server: NatsServer;
let nats: NatsConnection;
beforeAll(async () => {
  server = await startNats({ dataDir: folder });
  nats = await connectStreams(server.url, 'gateway', createLogger('test', 'silent'));
  await new Kvm(nats).create(dpopProofBucket, { storage: 'memory', ttl: 600_000, max_bytes: 512 * 1024 });
});
afterAll(async () => {
  await nats.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const newKey = (): string => randomBytes(32).toString('base64url');

describe('used proofs across gateways (RFC 9449)', () => {
  it('reject only the flooding TPP when two gateways share a store, and never fill the store', async () => {
    // Room for about 4,000 proofs, kept longer than this test runs.
    const gateways = [1, 2].map(() => new UsedProofs(nats, 600_000, 512 * 1024));
    const offer = async (tppId: string): Promise<boolean[]> =>
      Promise.all(
        gateways.map(async (used) =>
          used.isFirst(newKey(), tppId).then(
            () => true,
            () => false,
          ),
        ),
      );
    const flood: boolean[] = [];
    const others: boolean[] = [];
    for (let round = 0; round < 100; round += 1) {
      const many = await Promise.all(Array.from({ length: 30 }, async () => offer('flooder')));
      flood.push(...many.flat());
      if (round % 5 === 0) others.push(...(await offer(`tpp-${round % 3}`)));
    }
    expect(others).toEqual(Array.from({ length: 40 }, () => true));
    const kept = flood.filter(Boolean).length;
    expect(kept).toBeGreaterThan(1000);
    expect(flood.length - kept).toBeGreaterThan(1000);
    // Rejected because this TPP exceeds its share, not because the store is full.
    expect(await offer('tpp-9')).toEqual([true, true]);
  });

  it('accept a proof only once if it is sent to both gateways at the same time', async () => {
    const gateways = [1, 2].map(() => new UsedProofs(nats, 600_000, 512 * 1024));
    for (let round = 0; round < 30; round += 1) {
      const key = newKey();
      const answers = await Promise.all(gateways.map(async (used) => used.isFirst(key, 'tpp-0')));
      expect(answers.filter(Boolean)).toHaveLength(1);
    }
  });
});

describe('used proofs while a NATS cluster has lost its quorum (quality: "no request hangs")', () => {
  it('cannot be recorded, so each TPP gets 503 within two seconds', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'xs2a-proofs-'));
    const cluster = await startNatsCluster({ dataDir });
    const [survivor, ...others] = cluster.nodes;
    const connection = await connectStreams(survivor?.url ?? '', 'gateway', createLogger('test', 'silent'));
    const used = new UsedProofs(connection, 600_000);
    await untilDone(async () => new Kvm(connection).create(dpopProofBucket, { replicas: 3 }));
    await untilDone(async () => used.isFirst(newKey(), 'tpp'));
    for (const node of others) node.kill();
    await Promise.all(others.map(async ({ exited }) => exited));
    // One gateway that is already using the store, and one that has just started.
    const gateways = [used, new UsedProofs(connection, 600_000)];
    const began = performance.now();
    const outcomes = await Promise.allSettled(gateways.map(async (one) => one.isFirst(newKey(), 'tpp')));
    expect(performance.now() - began).toBeLessThan(1900);
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && String(outcome.reason))).toEqual([
      'CallFailed: dependencyDown',
      'CallFailed: dependencyDown',
    ]);
    await connection.close();
    await cluster.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }, 60_000);
});
