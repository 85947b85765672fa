import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import {
  metadataLeader,
  type NatsCluster,
  nodeName,
  startNatsCluster,
} from '@xs2a/local-servers/nats-cluster';
import { createLogger } from '@xs2a/observability/logger';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BucketFollower } from './bucket-follower.js';
import { openBucket } from './buckets.js';
import { connectStreams } from './connection.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-leaders-'));
const logger = createLogger('test', 'silent');
let cluster: NatsCluster;

beforeAll(async () => {
  cluster = await startNatsCluster({ dataDir: folder });
}, 60_000);
afterAll(async () => {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Retries until there is a result, because the cluster may be starting or electing a leader. */
const atLast = async <Value>(work: () => Promise<Value | undefined>): Promise<Value> => {
  for (;;) {
    const value = await work().catch(() => undefined);
    if (value !== undefined) return value;
  }
};

/** Moves the bucket's leader to a node that is not the cluster's metadata leader; returns the metadata leader. */
const partLeaders = async (nats: NatsConnection): Promise<number> =>
  atLast(async () => {
    const manager = await jetstreamManager(nats, { timeout: 1000 });
    const leader = metadataLeader(cluster.logFiles);
    const { cluster: copies } = await manager.streams.info('KV_LED');
    if (leader !== undefined && copies?.leader !== undefined && copies.leader !== nodeName(leader)) {
      return leader;
    }
    await nats.request('$JS.API.STREAM.LEADER.STEPDOWN.KV_LED', '', { timeout: 2000 });
    return undefined;
  });

/** The account API does not reply until a metadata leader has been elected. */
const hasMetadataLeader = async (nats: NatsConnection): Promise<boolean> =>
  jetstreamManager(nats, { timeout: 300 }).then(
    () => true,
    () => false,
  );

describe('existing key-value buckets while the cluster has no metadata leader (architecture, The edge)', () => {
  it('can be opened, read from the beginning, written and followed', async () => {
    const first = await connectStreams(cluster.url, 'test', logger);
    await atLast(async () => new Kvm(first).create('LED', { replicas: 3 }));
    await atLast(async () => (await openBucket(first, 'LED')).put('before', '1'));
    const leader = await partLeaders(first);
    await first.close();
    const survivor = cluster.nodes[(leader + 1) % 3];
    if (survivor === undefined) throw new Error('a cluster has three nodes');
    const nats = await connectStreams(survivor.url, 'test', logger);
    cluster.nodes[leader]?.kill();
    await cluster.nodes[leader]?.exited;
    expect(await hasMetadataLeader(nats)).toBe(false);

    const known = new Map<string, string>();
    let heard: () => void = () => undefined;
    const after = new Promise<void>((resolve) => {
      heard = resolve;
    });
    const follower = new BucketFollower({
      nats,
      bucket: 'LED',
      logger,
      onAll: (entries) => {
        for (const [key, value] of entries) known.set(key, value);
        if (known.has('after')) heard();
      },
      onChange: (key, value = '') => {
        known.set(key, value);
        if (known.has('after')) heard();
      },
    });
    follower.start();
    const bucket = await openBucket(nats, 'LED');
    await bucket.put('after', '2');
    await after;
    expect([...known].sort()).toEqual([
      ['after', '2'],
      ['before', '1'],
    ]);
    expect((await bucket.get('after'))?.string()).toBe('2');
    expect(await hasMetadataLeader(nats)).toBe(false);
    follower.stop();
    await nats.close();
  }, 60_000);
});
