import { JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { inboxFailureBucket, inboxStream } from '@xs2a/contracts/portal/inbox';

/** What {@link makeInboxAssets} needs to know of the server. */
export interface InboxPlace {
  readonly manager: JetStreamManager;
  readonly replicas: number;
  /** True if there is a stream with this name. */
  readonly exists: (stream: string) => Promise<boolean>;
}

/**
 * Creates the stream and the bucket of the developer portal's inboxes, if they are missing. Without space for the stream,
 * which JetStream reserves, the sandbox has no inboxes.
 */
export const makeInboxAssets = async (
  nats: NatsConnection,
  { manager, replicas, exists }: InboxPlace,
): Promise<{ readonly changed: readonly string[]; readonly refused: readonly string[] }> => {
  const { name, subjects, entriesKept, keptMs, maxBytes } = inboxStream;
  const changed: string[] = [];
  if (!(await exists(`KV_${inboxFailureBucket}`))) {
    await new Kvm(nats).create(inboxFailureBucket, { replicas, ttl: keptMs });
    changed.push(`bucket ${inboxFailureBucket} made`);
  }
  if (await exists(name)) return { changed, refused: [] };
  try {
    await manager.streams.add({
      name,
      subjects: [subjects],
      storage: 'file',
      retention: 'limits',
      discard: 'old',
      max_msgs_per_subject: entriesKept,
      max_age: keptMs * 1_000_000,
      max_bytes: maxBytes,
      num_replicas: replicas,
      allow_direct: true,
      deny_delete: true,
      deny_purge: true,
    });
  } catch (error) {
    if (!(error instanceof JetStreamApiError)) throw error;
    return { changed, refused: [`stream ${name} bounded to ${maxBytes} bytes`] };
  }
  return { changed: [...changed, `stream ${name} made`], refused: [] };
};
