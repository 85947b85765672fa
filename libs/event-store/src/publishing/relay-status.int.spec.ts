import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@xs2a/nats/testing/until';
import type { NatsServer } from '@xs2a/local-servers/nats-server';
import { startNatsWithAssets } from '@xs2a/nats/testing/nats-with-assets';
import { consume, type Consumption } from '@xs2a/consumers/consumer';
import { deadLetterTable } from '@xs2a/consumers/testing/dead-letter-table';
import { metrics } from '@xs2a/observability/metrics';
import { newId } from '@xs2a/runtime/ids';
import { join } from 'node:path';
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
  asPublished,
} from '../testing/sample-stream.js';

let database: SampleDatabase;
let nats: NatsServer;
const working: (Relay | Consumption)[] = [];

beforeAll(async () => {
  database = await startSampleDatabase();
  await database.sql(deadLetterTable('payments', 'xs2a_payments'));
  nats = await startNatsWithAssets({ dataDir: join(database.folder, 'nats') });
}, 60_000);
afterEach(async () => {
  await Promise.all(working.splice(0).map(async (one) => one.stop()));
});
afterAll(async () => {
  await nats.stop();
  await database.stop();
});

/** One instance of a service, with its own connections. */
const startRelay = (): { relay: Relay; store: EventStore<SampleEvent, SampleState> } => {
  const pool = database.pool();
  const store = database.store(pool);
  const relay = new Relay({ pool, store: asPublished(store), natsUrl: nats.url, logger: silent });
  relay.start();
  working.push(relay);
  return { relay, store };
};
const startConsumer = (): Consumption => {
  const { stream, durable } = { stream: 'PAYMENTS', durable: 'settlement' };
  const consumption = consume({
    natsUrl: nats.url,
    stream,
    durable,
    pool: database.pool(),
    handle: async () => undefined,
    logger: silent,
  });
  working.push(consumption);
  return consumption;
};
const append = async (store: EventStore<SampleEvent, SampleState>): Promise<void> => {
  expect(await store.append({ streamId: newId(), events: [counted(1)], actor: 'tester' })).toBe('appended');
};
describe('the health check of two instances that lost NATS (architecture, Event store 3)', () => {
  it('reports both as degraded while NATS is down and as healthy once it is back, whichever instance leads', async () => {
    const [one, other] = [startRelay(), startRelay()];
    await append(one.store);
    await allPublished(database.pool(), nats.url);
    const consumptions = [startConsumer(), startConsumer()];
    const relays = [one.relay, other.relay];

    nats.kill();
    await nats.exited;
    await until(() => {
      expect(relays.map((relay) => relay.degraded())).toEqual(
        relays.map(() => 'events are stored but not published'),
      );
      expect(consumptions.map((consumption) => consumption.degraded())).toEqual(
        consumptions.map(() => 'events are not consumed'),
      );
    });
    nats = await startNatsWithAssets({ dataDir: join(database.folder, 'nats'), port: nats.port });
    await until(() => {
      expect([...relays, ...consumptions].map((each) => each.degraded())).toEqual(Array(4).fill(undefined));
    });
    await append(other.store);
    await allPublished(database.pool(), nats.url);
  }, 30_000);
});

describe('the gauges of a stream (xs2a_stream_bytes, xs2a_stream_forgotten_events) (architecture, Event store 3)', () => {
  const readGauge = async (name: string): Promise<number | undefined> =>
    (await metrics.getSingleMetric(name)?.get())?.values[0]?.value;

  it('are kept up to date even if the relay is never idle, and are reported only by the leader', async () => {
    const { relay, store } = startRelay();
    const over = new AbortController();
    const load = Array.from({ length: 8 }, async () => {
      while (!over.signal.aborted) await append(store);
    });
    try {
      await until(async () => expect(await readGauge('xs2a_stream_bytes')).toBeGreaterThan(0));
      const before = (await readGauge('xs2a_stream_bytes')) ?? 0;
      await until(async () => expect(await readGauge('xs2a_stream_bytes')).toBeGreaterThan(before));
      expect(await readGauge('xs2a_stream_forgotten_events')).toBe(0);
    } finally {
      over.abort();
      await Promise.all(load);
    }
    await relay.stop();
    expect(await readGauge('xs2a_stream_bytes')).toBeUndefined();
  }, 30_000);
});
