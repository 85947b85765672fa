import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@xs2a/nats/testing/until';
import { jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { makeAssetsAt } from '@xs2a/nats/jetstream-assets';
import { startNatsWithAssets } from '@xs2a/nats/testing/nats-with-assets';
import { connectOnce } from '@xs2a/nats/connection';
import { newId } from '@xs2a/runtime/ids';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { EventStore } from '../streams/event-store.js';
import { Relay } from './relay.js';
import { allPublished } from '../testing/all-published.js';
import {
  counted,
  type SampleDatabase,
  type SampleEvent,
  type SampleState,
  silent,
  startSampleDatabase,
  sampleResource,
  asPublished,
} from '../testing/sample-stream.js';
import { verifyStreams } from '../verification/verify-events.js';
import { eventStoreViolations } from '../verification/violations.js';

/** Enough for about 150 events of one kilobyte. */
const maxBytes = 200_000;
const kilobyte = 'x'.repeat(1000);

let database: SampleDatabase;
let nats: NatsServer;
let pool: Pool;
let store: EventStore<SampleEvent, SampleState>;
const relays: Relay[] = [];

beforeAll(async () => {
  database = await startSampleDatabase();
  nats = await startNatsWithAssets({ dataDir: join(database.folder, 'nats'), maxFileStore: '3MB' });
  pool = database.pool();
  store = database.store(pool);
});
afterEach(async () => {
  await Promise.all(relays.splice(0).map(async (one) => one.stop()));
});
afterAll(async () => {
  await nats.stop();
  await database.stop();
});

const startRelay = (): Relay => {
  const relay = new Relay({ pool, store: asPublished(store), natsUrl: nats.url, logger: silent });
  relay.start();
  relays.push(relay);
  return relay;
};
const published = async (): Promise<number> => allPublished(pool, nats.url);
/** Creates the stream with this bound, as the migration job does, and starts a relay. */
const startBounded = async (): Promise<Relay> => {
  await makeAssetsAt(nats.url, { payments: maxBytes });
  return startRelay();
};
/** Appends each event to its own stream. `more` adds further events to the last stream. */
const append = async (count: number, ...more: readonly SampleEvent[]): Promise<void> => {
  for (let left = count; left > 0; left -= 100) {
    const changes = Array.from({ length: Math.min(left, 100) }, () => counted(1, kilobyte));
    await appendEach(changes);
  }
  await appendEach(more);
};
const appendEach = async (events: readonly SampleEvent[]): Promise<void> => {
  if (events.length === 0) return;
  const outcomes = await Promise.all(
    events
      .map((event) => ({ streamId: newId(), events: [event], actor: 'tester' }))
      .map(async (change) => store.append(change)),
  );
  expect(new Set(outcomes)).toEqual(new Set(['appended']));
};
const inStream = async (): Promise<StreamInfo> => {
  const connection = await connectOnce(nats.url, 'test');
  try {
    return await (await jetstreamManager(connection)).streams.info('PAYMENTS');
  } finally {
    await connection.close();
  }
};
const hasStream = async (): Promise<boolean> => {
  const connection = await connectOnce(nats.url, 'test');
  try {
    const { streams } = await jetstreamManager(connection);
    for await (const name of streams.names()) if (name === 'PAYMENTS') return true;
    return false;
  } finally {
    await connection.close();
  }
};
const expectNothingWrong = async (): Promise<void> => {
  const connection = await connectOnce(nats.url, 'test');
  try {
    expect(await verifyStreams(pool, { resource: sampleResource, nats: connection })).toMatchObject({
      findings: [],
    });
    const violations = await eventStoreViolations(pool, sampleResource, {
      nats: connection,
      stores: [store],
    });
    // The sample's lifecycle is not a payment's, but the counts, the log and the published copy are still
    // checked.
    expect(violations.filter(({ invariant }) => invariant === 4)).toEqual([]);
  } finally {
    await connection.close();
  }
};
describe('when JetStream storage is full or too small (max_file_store) (architecture, Event store 3)', () => {
  it('appends continue, health reports why nothing is published, and a larger store fixes the problem', async () => {
    const relay = startRelay();
    await append(4000);
    await until(async () => expect(relay.degraded()).toContain('JetStream’s storage is full'));
    const { state: full } = await inStream();
    expect(full.last_seq).toBeLessThan(4000);
    await relay.check();
    await append(100);

    const { port } = nats;
    await nats.stop();
    nats = await startNatsWithAssets({ dataDir: join(database.folder, 'nats'), maxFileStore: '20MB', port });
    await published();
    expect(relay.degraded()).toBeUndefined();
    const { state } = await inStream();
    expect([state.first_seq, state.last_seq, state.messages]).toEqual([1, 4100, 4100]);
    await expectNothingWrong();

    await relay.stop();
    await nats.stop();
    nats = await startNatsWithAssets({ dataDir: join(database.folder, 'nats'), maxFileStore: '3MB', port });
  }, 60_000);

  it('a stream limit frees space, and the dropped events remain in PostgreSQL', async () => {
    const relay = await startBounded();
    await append(300);
    await published();
    expect(relay.degraded()).toBeUndefined();
    const { state } = await inStream();
    expect(state.last_seq).toBe(4400);
    expect(state.bytes).toBeLessThanOrEqual(maxBytes);
    expect(state.messages).toBe(state.last_seq - state.first_seq + 1);
    expect(state.messages).toBeLessThan(200);
    await expectNothingWrong();
  }, 30_000);

  it('a limit that exceeds the storage is reported, and the stream stays unchanged', async () => {
    const wanted = { payments: 50_000_000 };
    expect((await makeAssetsAt(nats.url, wanted)).refused).toEqual([
      'stream PAYMENTS bounded to 50000000 bytes',
    ]);
    startRelay();
    await append(1);
    await published();
    expect((await inStream()).config.max_bytes).toBe(maxBytes);
  }, 20_000);

  it('a refused limit is set by the next run once there is room for it', async () => {
    const connection = await connectOnce(nats.url, 'test');
    try {
      const { streams } = await jetstreamManager(connection);
      await streams.add({ name: 'OTHER', subjects: ['other'], max_bytes: 2_500_000 });
      const wanted = { payments: 1_000_000 };
      expect((await makeAssetsAt(nats.url, wanted)).refused).toHaveLength(1);
      await streams.delete('OTHER');
      expect(await makeAssetsAt(nats.url, wanted)).toEqual({
        changed: ['stream PAYMENTS bounded to 1000000 bytes'],
        refused: [],
      });
      expect((await inStream()).config.max_bytes).toBe(1_000_000);
    } finally {
      await connection.close();
    }
  }, 20_000);
});

describe('when a store is shrunk below the limit of its stream', () => {
  it('health reports the stream as missing or full, and the stream has every event once there is room again', async () => {
    await startBounded();
    await append(200);
    await published();
    const { port } = nats;
    await nats.stop();
    nats = await startNats({ dataDir: join(database.folder, 'nats'), maxFileStore: '100KB', port });
    await append(1);
    // nats-server 2.9 does not restore a stream if its bound exceeds the storage. Version 2.15 restores it
    // but accepts no more events.
    const reason = (await hasStream()) ? 'JetStream’s storage is full' : 'run the migration job';
    await until(async () => expect(relays[0]?.degraded()).toContain(reason));
    await nats.stop();
    nats = await startNatsWithAssets({ dataDir: join(database.folder, 'nats'), maxFileStore: '20MB', port });
    await published();
    await expectNothingWrong();
  }, 40_000);
});
