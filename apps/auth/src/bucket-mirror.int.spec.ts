import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { type NatsCluster, startNatsCluster, untilDone } from '@xs2a/local-servers/nats-cluster';
import { connectStreams } from '@xs2a/nats/connection';
import { createLogger } from '@xs2a/observability/logger';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BucketMirror } from './bucket-mirror.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-mirror-'));
const logger = createLogger('test', 'silent');
let cluster: NatsCluster;
let nats: NatsConnection;
const mirrors: BucketMirror[] = [];
beforeAll(async () => {
  cluster = await startNatsCluster({ dataDir: folder });
  nats = await connectStreams(cluster.nodes[0]?.url ?? '', 'test', logger);
}, 60_000);
afterAll(async () => {
  for (const mirror of mirrors) mirror.stop();
  await nats.close();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
});

const opened = async (): Promise<KV> => untilDone(async () => new Kvm(nats).create('TOLD', { replicas: 3 }));

/** Resolves with the milliseconds until the work is done. */
const took = async (work: Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work;
  return performance.now() - began;
};

describe('publishing while nothing can be stored (quality: "no request hangs")', () => {
  it('delays the caller by at most one second after its database change', async () => {
    const bucket = await opened();
    const truth = new Map<string, unknown>([['before', 1]]);
    const mirror = new BucketMirror({ nats, logger, bucket: 'TOLD', entries: async () => new Map(truth) });
    mirrors.push(mirror);
    await mirror.publish('before');
    expect((await bucket.get('before'))?.json()).toBe(1);
    for (const node of cluster.nodes.slice(1)) node.kill();
    await Promise.all(cluster.nodes.slice(1).map(async ({ exited }) => exited));
    truth.set('after', 2);
    // On a busy machine, timers are late: by as much for this second as for the one that publishing waits.
    const [second, publishing] = await Promise.all([took(pause(1000)), took(mirror.publish('after'))]);
    expect(publishing - second).toBeLessThan(500);
  }, 60_000);
});
