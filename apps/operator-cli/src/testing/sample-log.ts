import type { NatsConnection } from '@nats-io/transport-node';
import { Relay } from '@xs2a/event-store/publishing/relay';
import { allPublished } from '@xs2a/event-store/testing/all-published';
import {
  asPublished,
  counted,
  type SampleDatabase,
  silent,
  startSampleDatabase,
} from '@xs2a/event-store/testing/sample-stream';
import { connectOnce } from '@xs2a/nats/connection';
import { startNatsWithAssets } from '@xs2a/nats/testing/nats-with-assets';
import { newId } from '@xs2a/runtime/ids';
import { join } from 'node:path';

/** The log of the sample stream on real servers, with its copy in JetStream. */
export interface SampleLog {
  readonly database: SampleDatabase;
  readonly nats: NatsConnection;
  /** Appends this many events, each to its own stream. */
  append(count: number): Promise<void>;
  /** Appends events and publishes all of them with a temporary relay; returns the last position. */
  publish(count: number): Promise<number>;
  stop(): Promise<void>;
}

export const startSampleLog = async (): Promise<SampleLog> => {
  const database = await startSampleDatabase();
  const server = await startNatsWithAssets({ dataDir: join(database.folder, 'nats') });
  const nats = await connectOnce(server.url, 'test');
  const pool = database.pool();
  const store = database.store(pool);
  const append = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1)
      await store.append({ streamId: newId(), events: [counted(1)], actor: 'tester' });
  };
  return {
    database,
    nats,
    append,
    publish: async (count) => {
      const relay = new Relay({ pool, store: asPublished(store), natsUrl: server.url, logger: silent });
      relay.start();
      await append(count);
      const position = await allPublished(pool, server.url);
      await relay.stop();
      return position;
    },
    stop: async () => {
      await nats.close();
      await server.stop();
      await database.stop();
    },
  };
};
