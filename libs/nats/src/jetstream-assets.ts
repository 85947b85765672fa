import {
  type ConsumerConfig,
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
import { profileBucket } from '@xs2a/contracts/switch-over/profile-bucket';
import { plannedFaultBucket, plannedFaultsKeptMs } from '@xs2a/contracts/sandbox/planned-faults';
import { type EventConsumer, eventConsumers } from '@xs2a/contracts/event-consumers';
import { type EventResource, eventStreams } from '@xs2a/contracts/event-streams';
import { connectOnce } from './connection.js';
import { makeInboxAssets } from './inbox-assets.js';
import { unlessMissing } from './unless-missing.js';

const day = 24 * 60 * 60 * 1000;

/** The key-value buckets, each with the settings that differ from the default. */
const buckets: Readonly<Record<string, Partial<KvOptions>>> = {
  [clockBucket]: {},
  [profileBucket]: {},
  [tppBucket]: {},
  // Longer than the lifetime of any access token. An older entry has no token left to reject; removal markers
  // expire after the same time.
  [revocationBucket]: { ttl: day },
  // Kept in memory. A proof expires by real time; the sandbox clock never runs slower than that.
  [dpopProofBucket]: { storage: 'memory', ttl: dpopProofStore.keepMs, max_bytes: dpopProofStore.maxBytes },
  [plannedFaultBucket]: { ttl: plannedFaultsKeptMs },
};

/**
 * Maximum size of each event stream in bytes; the oldest events are discarded first. If absent, the current limit
 * stays; a new stream is unlimited.
 */
export type StreamBounds = { readonly [Resource in EventResource]?: number | undefined };

export interface AssetOptions {
  /** True in a sandbox whose developer portal has inboxes. */
  readonly inboxes?: boolean;
}

/** The changes made by {@link makeAssets}, one line each; empty if nothing had to change. */
export interface AssetReport {
  readonly changed: readonly string[];
  /** Limits that JetStream refused for lack of space. Their streams keep the current limit. */
  readonly refused: readonly string[];
}

/**
 * Creates missing JetStream assets (event streams, their durable consumers, key-value buckets), replaces consumers
 * whose configuration differs, and sets the streams' limits. Can be run again. Only the migration job and the
 * operator may call it, because services have no permission to manage JetStream (docs/adr/0019). Throws the
 * JetStream error if an asset cannot be created.
 */
export const makeAssets = async (
  nats: NatsConnection,
  bounds: StreamBounds = {},
  { inboxes = false }: AssetOptions = {},
): Promise<AssetReport> => {
  const manager = await jetstreamManager(nats, { checkAPI: false, timeout: 5000 });
  // Three replicas in a cluster, so that one server may fail.
  const replicas = nats.info?.cluster === undefined ? 1 : 3;
  const changed: string[] = [];
  const refused: string[] = [];
  for (const [resource, name] of Object.entries(eventStreams)) {
    const maxBytes = bounds[resource as EventResource];
    let current = await streamConfig(manager, name);
    if (current === undefined) {
      const added = await manager.streams.add({
        name,
        subjects: [`xs2a.${resource}.>`],
        storage: 'file',
        retention: 'limits',
        num_replicas: replicas,
        deny_delete: true,
        deny_purge: true,
      });
      current = added.config;
      changed.push(`stream ${name} made`);
    }
    if (maxBytes === undefined || current.max_bytes === maxBytes) continue;
    const outcome = await setBound(manager, name, maxBytes);
    (outcome === 'set' ? changed : refused).push(`stream ${name} bounded to ${maxBytes} bytes`);
  }
  for (const consumer of Object.values(eventConsumers)) {
    const made = await makeConsumer(manager, consumer);
    if (made !== undefined) changed.push(`consumer ${consumer.durable} of ${consumer.stream} ${made}`);
  }
  for (const [name, options] of Object.entries(buckets)) {
    const current = await streamConfig(manager, `KV_${name}`);
    if (current === undefined) {
      await new Kvm(nats).create(name, { replicas, ...options });
      changed.push(`bucket ${name} made`);
      continue;
    }
    const { max_bytes: maxBytes } = options;
    if (maxBytes === undefined || current.max_bytes === maxBytes) continue;
    const outcome = await setBound(manager, `KV_${name}`, maxBytes);
    (outcome === 'set' ? changed : refused).push(`bucket ${name} bounded to ${maxBytes} bytes`);
  }
  if (!inboxes) return { changed, refused };
  const exists = async (name: string) => (await streamConfig(manager, name)) !== undefined;
  const ofInboxes = await makeInboxAssets(nats, { manager, replicas, exists });
  return { changed: [...changed, ...ofInboxes.changed], refused: [...refused, ...ofInboxes.refused] };
};

/** Runs {@link makeAssets} on its own connection, as the user `migration` of a `NATS_URL`. */
export const makeAssetsAt = async (
  url: string,
  bounds?: StreamBounds,
  options?: AssetOptions,
): Promise<AssetReport> => {
  const nats = await connectOnce(url, 'migration');
  try {
    return await makeAssets(nats, bounds, options);
  } finally {
    await nats.close();
  }
};

/**
 * Creates a durable consumer that starts with the oldest event of its stream. An existing consumer with a
 * different configuration is replaced, and its events are redelivered. Returns undefined if nothing had to change.
 * `ackWaitMs`: time until an unacknowledged event is redelivered.
 */
export const makeConsumer = async (
  { consumers }: JetStreamManager,
  { stream, durable, filter }: EventConsumer,
  ackWaitMs = 10_000,
): Promise<'made' | 'replaced' | undefined> => {
  const wanted = {
    durable_name: durable,
    filter_subject: filter,
    deliver_policy: 'all',
    ack_policy: 'explicit',
    ack_wait: ackWaitMs * 1_000_000,
    // Enough for ten instances with 100 pulled events each.
    max_ack_pending: 1000,
  } as const satisfies Partial<ConsumerConfig>;
  const info = await unlessMissing(consumers.info(stream, durable), JetStreamApiCodes.ConsumerNotFound);
  const keys = Object.keys(wanted) as (keyof typeof wanted)[];
  if (info !== undefined && keys.every((key) => info.config[key] === wanted[key])) return undefined;
  if (info !== undefined) await consumers.delete(stream, durable);
  await consumers.add(stream, wanted);
  return info === undefined ? 'made' : 'replaced';
};

const streamConfig = async (manager: JetStreamManager, name: string): Promise<StreamConfig | undefined> =>
  (await unlessMissing(manager.streams.info(name), JetStreamApiCodes.StreamNotFound))?.config;

/** Sets the limit of a stream. JetStream reserves the space for it and refuses a limit larger than its free space. */
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
