import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { makeAssetsAt } from '@xs2a/messaging/jetstream-assets';
import { startNatsWithAssets } from '@xs2a/messaging/testing/nats-with-assets';
import { dependencyDown } from '@xs2a/messaging/call-failed';
import { connectOnce } from '@xs2a/messaging/connection';
import { consume, type ConsumerOptions, type Consumption } from '@xs2a/messaging/consumer';
import { consumerTables, deadLetterReplays } from '@xs2a/messaging/consumer.tables';
import { createLogger } from '@xs2a/observability/logger';
import { newId } from '@xs2a/runtime/ids';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { EventStore } from './event-store.js';
import { loggedEvents } from './logged-events.js';
import { Relay } from './relay.js';
import {
  counted,
  type SampleDatabase,
  type SampleEvent,
  type SampleState,
  silent,
  startSampleDatabase,
} from './testing/sample-stream.js';
import { verifyStreams } from './verify-events.js';
import { eventStoreViolations } from './violations.js';

/** Some 150 events of a kilobyte. */
const maxBytes = 200_000;
const kilobyte = 'x'.repeat(1000);

let database: SampleDatabase;
let nats: NatsServer;
let pool: Pool;
let store: EventStore<SampleEvent, SampleState>;
const relays: Relay[] = [];
const consumptions: Consumption[] = [];

beforeAll(async () => {
  database = await startSampleDatabase();
  await database.sql(consumerTables('payments', 'xs2a_payments'));
  await database.sql(deadLetterReplays('payments', 'xs2a_payments'));
  await database.sql(`CREATE TABLE payments.effect (id bigint GENERATED ALWAYS AS IDENTITY, consumer text, pos bigint);
    GRANT INSERT, SELECT ON payments.effect TO xs2a_payments`);
  nats = await startNatsWithAssets({ dataDir: join(database.folder, 'nats'), maxFileStore: '3MB' });
  pool = database.pool();
  store = database.store(pool);
});
afterEach(async () => {
  await Promise.all([...relays.splice(0), ...consumptions.splice(0)].map(async (one) => one.stop()));
});
afterAll(async () => {
  await nats.stop();
  await database.stop();
});

const startRelay = (): Relay => {
  const relay = new Relay({ pool, store, natsUrl: nats.url, logger: silent });
  relay.start();
  relays.push(relay);
  return relay;
};
/** As the migration job of a deployment with this setting. */
const startBounded = async (): Promise<Relay> => {
  await makeAssetsAt(nats.url, { payments: maxBytes });
  return startRelay();
};
/** Each in a stream of its own, and the last event an `emptied` one when asked for. */
const append = async (count: number, ...more: readonly SampleEvent[]): Promise<void> => {
  for (let left = count; left > 0; left -= 100) {
    const changes = Array.from({ length: Math.min(left, 100) }, () => counted(1, kilobyte));
    await appendEach(changes);
  }
  await appendEach(more);
};
const appendEach = async (events: readonly SampleEvent[]): Promise<void> => {
  if (events.length === 0) return;
  const outcomes = await store.appendMany(
    events.map((event) => ({ streamId: newId(), events: [event], actor: 'tester' })),
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
const expectNothingWrong = async (): Promise<void> => {
  const connection = await connectOnce(nats.url, 'test');
  try {
    expect(
      await verifyStreams(pool, { resource: 'payments', view: 'sample_view', nats: connection }),
    ).toMatchObject({
      findings: [],
    });
    const violations = await eventStoreViolations(pool, 'payments', { nats: connection, store });
    // The sample's lifecycle is not a payment's; counts, log and published copy are looked at all the same.
    expect(violations.filter(({ invariant }) => invariant === 4)).toEqual([]);
  } finally {
    await connection.close();
  }
};
const positionsOf = async (type: SampleEvent['type']): Promise<number[]> => {
  const rows = await database.sql(
    'SELECT l.pos::int FROM payments.log l JOIN payments.events e USING (id) WHERE e.type = $1 ORDER BY l.pos',
    [type],
  );
  return rows.map(({ pos }) => Number(pos));
};

/** A consumer of one type of event, with an effect for each. */
const startConsumer = (
  consumer: string,
  type: SampleEvent['type'],
  options: Partial<ConsumerOptions> = {},
): Consumption => {
  const consumption = consume({
    natsUrl: nats.url,
    stream: 'PAYMENTS',
    durable: consumer,
    filterSubject: `xs2a.payments.${type}.>`,
    logged: async (stretch) => loggedEvents(pool, 'payments', { ...stretch, types: [type] }),
    pool,
    handle: async (client, events) => {
      await client.query('INSERT INTO effect (consumer, pos) SELECT $1, unnest($2::bigint[])', [
        consumer,
        events.map(({ pos }) => pos),
      ]);
    },
    logger: silent,
    ...options,
  });
  consumptions.push(consumption);
  return consumption;
};
const effectsOf = async (consumer: string): Promise<number[]> => {
  const rows = await database.sql('SELECT pos::int FROM payments.effect WHERE consumer = $1 ORDER BY id', [
    consumer,
  ]);
  return rows.map(({ pos }) => Number(pos));
};
const eventually = async (check: () => Promise<void>): Promise<void> => {
  const end = performance.now() + 10_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
    }
  }
};

describe('JetStream’s storage is full (max_file_store)', () => {
  it('appends go on, health says why nothing is published, and a larger store heals it', async () => {
    const relay = startRelay();
    await append(4000);
    await eventually(async () => expect(relay.degraded()).toContain('JetStream’s storage is full'));
    const { state: full } = await inStream();
    expect(full.last_seq).toBeLessThan(4000);
    await relay.check();
    await append(100);

    const { port } = nats;
    await nats.stop();
    nats = await startNatsWithAssets({ dataDir: join(database.folder, 'nats'), maxFileStore: '20MB', port });
    await eventually(async () => void (await relay.published()));
    expect(relay.degraded()).toBeUndefined();
    const { state } = await inStream();
    expect([state.first_seq, state.last_seq, state.messages]).toEqual([1, 4100, 4100]);
    await expectNothingWrong();

    await relay.stop();
    await nats.stop();
    nats = await startNatsWithAssets({ dataDir: join(database.folder, 'nats'), maxFileStore: '3MB', port });
  }, 60_000);

  it('a bound for the stream makes room, whatever it holds; what it forgets stays in PostgreSQL', async () => {
    const relay = await startBounded();
    await append(300);
    await relay.published();
    expect(relay.degraded()).toBeUndefined();
    const { state } = await inStream();
    expect(state.last_seq).toBe(4400);
    expect(state.bytes).toBeLessThanOrEqual(maxBytes);
    expect(state.messages).toBe(state.last_seq - state.first_seq + 1);
    expect(state.messages).toBeLessThan(200);
    await expectNothingWrong();
  }, 30_000);

  it('a bound that JetStream has no room for is told, and leaves the stream as it is', async () => {
    const wanted = { payments: 50_000_000 };
    expect((await makeAssetsAt(nats.url, wanted)).refused).toEqual([
      'stream PAYMENTS bounded to 50000000 bytes',
    ]);
    const relay = startRelay();
    await append(1);
    await eventually(async () => void (await relay.published()));
    expect((await inStream()).config.max_bytes).toBe(maxBytes);
  }, 20_000);

  it('a bound that was refused is set by the next run, when there is room for it', async () => {
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

describe('a consumer of a stream that has forgotten events', () => {
  it('reads from the log what was gone before it came, each event once and in order', async () => {
    const { pos } = await (await startBounded()).published();
    await startConsumer('late', 'counted').caughtUp(pos, 20_000);
    expect((await inStream()).state.first_seq).toBeGreaterThan(4000);
    expect(await effectsOf('late')).toEqual(await positionsOf('counted'));
  }, 30_000);

  it('goes on with the stream behind it, and is caught up where nothing of its own was forgotten', async () => {
    const relay = await startBounded();
    await append(1, { type: 'emptied', data: {} });
    const warned: unknown[] = [];
    const destination = { write: (line: string) => void warned.push(line) };
    const logger = createLogger('bounded-stream-test', 'warn', { destination });
    const consumption = startConsumer('rare', 'emptied', { logger });
    await consumption.caughtUp((await relay.published()).pos);
    warned.length = 0;
    await append(400);
    await consumption.caughtUp((await relay.published()).pos);
    const [cursor] = await database.sql(
      "SELECT pos::int FROM payments.consumer_cursor WHERE consumer = 'rare'",
    );
    expect(Number(cursor?.['pos'])).toBeGreaterThanOrEqual((await inStream()).state.first_seq - 1);
    await append(1, { type: 'emptied', data: {} });
    await consumption.caughtUp((await relay.published()).pos);
    // Nothing that it waits for was missed: no operator has to hear of it, once a second.
    expect(warned).toEqual([]);
    expect(await effectsOf('rare')).toEqual(await positionsOf('emptied'));
  }, 30_000);

  it('skips nothing that is forgotten while it works on what came before', async () => {
    const relay = await startBounded();
    const { pos: before } = await relay.published();
    await database.sql('INSERT INTO payments.consumer_cursor (consumer, pos) VALUES ($1, $2)', [
      'slow',
      before,
    ]);
    const working = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const consumption = startConsumer('slow', 'counted', {
      handle: async (client, events) => {
        working.resolve();
        await goOn.promise;
        await client.query('INSERT INTO effect (consumer, pos) SELECT $1, unnest($2::bigint[])', [
          'slow',
          events.map(({ pos }) => pos),
        ]);
      },
    });
    await append(1);
    await working.promise;
    // More than the client has asked for and the server holds: the middle is gone before it was delivered.
    await append(1200);
    const { pos } = await relay.published();
    goOn.resolve();
    await consumption.caughtUp(pos);
    expect(await effectsOf('slow')).toEqual((await positionsOf('counted')).filter((one) => one > before));
  }, 30_000);

  it('waits while the owner of the log is away', async () => {
    const { pos } = await (await startBounded()).published();
    let away = true;
    const consumer = randomUUID();
    const consumption = startConsumer(consumer, 'counted', {
      logged: async (stretch) => {
        if (away) throw dependencyDown();
        return loggedEvents(pool, 'payments', { ...stretch, types: ['counted'] });
      },
    });
    await eventually(async () => expect(consumption.degraded()).toBe('events are not consumed'));
    await consumption.check();
    expect(await effectsOf(consumer)).toEqual([]);
    away = false;
    await eventually(async () => consumption.caughtUp(pos));
    expect(await effectsOf(consumer)).toEqual(await positionsOf('counted'));
  }, 30_000);

  it('refuses a stream whose beginning lies behind the end of the log (a database restored from a backup)', async () => {
    await (await startBounded()).published();
    const consumption = startConsumer('ahead', 'counted', { logged: async () => ({ events: [], upTo: 0 }) });
    await eventually(async () => {
      await expect(consumption.check()).rejects.toThrow('the log ends at 0');
    });
    expect(await effectsOf('ahead')).toEqual([]);
  }, 20_000);
});

describe('a stretch of the log', () => {
  const all = { after: 0, upTo: 1_000_000, types: ['counted', 'emptied'] } as const;

  it('comes in answers of at most 100 events, and ends where the log ends', async () => {
    const { pos: end } = (await database.sql('SELECT max(pos)::int AS pos FROM payments.log'))[0] ?? {};
    const first = await loggedEvents(pool, 'payments', all);
    expect([first.events.length, first.upTo]).toEqual([100, 100]);
    const last = await loggedEvents(pool, 'payments', { ...all, after: Number(end) - 30 });
    expect([last.events.length, last.upTo]).toEqual([30, end]);
    expect(await loggedEvents(pool, 'payments', { ...all, after: Number(end) })).toEqual({
      events: [],
      upTo: end,
    });
  });

  it('looks at 5,000 positions at most for an answer, whatever matches', async () => {
    const none = await loggedEvents(pool, 'payments', { ...all, types: ['none'] });
    expect(none).toEqual({ events: [], upTo: 5000 });
    const asked = await loggedEvents(pool, 'payments', { ...all, upTo: 40, types: ['none'] });
    expect(asked).toEqual({ events: [], upTo: 40 });
  });

  it('carries about a megabyte at most, and one event at least', async () => {
    const { pos: end } = (await database.sql('SELECT max(pos)::int AS pos FROM payments.log'))[0] ?? {};
    await append(0, ...[1, 2, 3].map((by) => counted(by, 'x'.repeat(600_000))));
    await (await startBounded()).published();
    const answer = await loggedEvents(pool, 'payments', { ...all, after: Number(end) });
    expect([answer.events.length, answer.upTo]).toEqual([1, Number(end) + 1]);
  }, 20_000);

  it('is bounded in bytes, of which a Cyrillic letter has two', async () => {
    const { pos: end } = (await database.sql('SELECT max(pos)::int AS pos FROM payments.log'))[0] ?? {};
    await append(0, ...[1, 2, 3].map((by) => counted(by, 'ж'.repeat(300_000))));
    await (await startBounded()).published();
    const { events } = await loggedEvents(pool, 'payments', { ...all, after: Number(end) });
    expect(events).toHaveLength(1);
  }, 20_000);
});

describe('a store that is made smaller than the stream’s bound', () => {
  it('comes up without the stream, and health says so; made anew with room again, it holds every event', async () => {
    await (await startBounded()).published();
    const { port } = nats;
    await nats.stop();
    nats = await startNats({ dataDir: join(database.folder, 'nats'), maxFileStore: '100KB', port });
    await append(1);
    await eventually(async () => expect(relays[0]?.degraded()).toContain('run the migration job'));
    await nats.stop();
    nats = await startNatsWithAssets({ dataDir: join(database.folder, 'nats'), maxFileStore: '20MB', port });
    await eventually(async () => void (await relays[0]?.published()));
    await expectNothingWrong();
  }, 40_000);
});
