import {
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import { type KvOptions, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { dpopProofBucket, dpopProofStore, revocationBucket, tppBucket } from '@xs2a/contracts/auth.contract';
import { clockBucket } from '@xs2a/contracts/clock.contract';
import { type EventResource, eventStreams } from '@xs2a/contracts/published-event';
import { connectOnce } from './connection.js';
import { replicasOf } from './replicas.js';

const day = 24 * 60 * 60 * 1000;

/** The key-value buckets, and what is special about each. */
const buckets: Readonly<Record<string, Partial<KvOptions>>> = {
  [clockBucket]: {},
  [tppBucket]: {},
  // Longer than any access token lives: what is older has no token to refuse, and the marks of removed keys go with it.
  [revocationBucket]: { ttl: day },
  // In memory: a proof is forgotten by real time, and the sandbox clock is never slower.
  [dpopProofBucket]: { storage: 'memory', ttl: dpopProofStore.keepMs, max_bytes: dpopProofStore.maxBytes },
};

/** Bytes that an event stream keeps at most, oldest forgotten first; absent: as it is, which is without a bound at first. */
export type StreamBounds = { readonly [Resource in EventResource]?: number | undefined };

/** The changes that {@link makeAssets} made, a line each; empty when all was as it should be. */
export interface AssetReport {
  readonly changed: readonly string[];
  /** A bound that JetStream refuses because the room is not there; the stream keeps the one it has. */
  readonly refused: readonly string[];
}

/**
 * Makes the JetStream assets (event streams and key-value buckets) that are missing and sets the streams' bounds. Only the
 * migration job and the operator may: services have no right to any JetStream management (docs/adr/0027). Repeatable.
 * Throws what JetStream says when an asset cannot be made.
 */
export const makeAssets = async (nats: NatsConnection, bounds: StreamBounds = {}): Promise<AssetReport> => {
  const manager = await jetstreamManager(nats, { checkAPI: false, timeout: 5000 });
  const changed: string[] = [];
  const refused: string[] = [];
  for (const [resource, name] of Object.entries(eventStreams)) {
    const maxBytes = bounds[resource as EventResource];
    let current = await streamConfig(manager, name);
    if (current === undefined) {
      current = await makeEventStream(nats, resource as EventResource);
      changed.push(`stream ${name} made`);
    }
    if (maxBytes === undefined || current.max_bytes === maxBytes) continue;
    const outcome = await setBound(manager, name, maxBytes);
    (outcome === 'set' ? changed : refused).push(`stream ${name} bounded to ${maxBytes} bytes`);
  }
  for (const [name, options] of Object.entries(buckets)) {
    if (!(await makeBucket(nats, name, options))) continue;
    changed.push(`bucket ${name} made`);
  }
  return { changed, refused };
};

/** {@link makeAssets} on a connection of its own, as the user `migration` of a `NATS_URL`. */
export const makeAssetsAt = async (url: string, bounds?: StreamBounds): Promise<AssetReport> => {
  const nats = await connectOnce(url, 'migration');
  try {
    return await makeAssets(nats, bounds);
  } finally {
    await nats.close();
  }
};

/** Makes the stream of a resource's events; throws what JetStream says, also when it is there with other settings. */
export const makeEventStream = async (
  nats: NatsConnection,
  resource: EventResource,
): Promise<StreamConfig> => {
  const manager = await jetstreamManager(nats, { checkAPI: false, timeout: 5000 });
  const { config } = await manager.streams.add({
    name: eventStreams[resource],
    subjects: [`xs2a.${resource}.>`],
    storage: 'file',
    retention: 'limits',
    num_replicas: replicasOf(nats),
    deny_delete: true,
    deny_purge: true,
  });
  return config;
};

/** Makes a bucket unless it is there; answers whether it did. */
export const makeBucket = async (
  nats: NatsConnection,
  bucket: string,
  options: Partial<KvOptions> = {},
): Promise<boolean> => {
  const manager = await jetstreamManager(nats, { checkAPI: false, timeout: 5000 });
  if ((await streamConfig(manager, `KV_${bucket}`)) !== undefined) return false;
  await new Kvm(nats).create(bucket, { replicas: replicasOf(nats), ...options });
  return true;
};

const streamConfig = async (manager: JetStreamManager, name: string): Promise<StreamConfig | undefined> => {
  try {
    return (await manager.streams.info(name)).config;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound)
      return undefined;
    throw error;
  }
};

/** JetStream reserves the room of a bounded stream, and refuses what is more than it has. */
const setBound = async (
  manager: JetStreamManager,
  name: string,
  maxBytes: number,
): Promise<'set' | 'refused'> => {
  try {
    await manager.streams.update(name, { max_bytes: maxBytes });
    return 'set';
  } catch (error) {
    if (error instanceof JetStreamApiError) return 'refused';
    throw error;
  }
};
