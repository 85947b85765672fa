import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ConsumerInfo, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { PublishedEvent } from '@xs2a/events/published-event';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { createLogger } from '@xs2a/observability/logger';
import { metrics } from '@xs2a/observability/metrics';
import { createPool } from '@xs2a/postgres/pool';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { callFailed, dependencyDown } from '@xs2a/domain/failure/failed';
import { connectOnce } from '@xs2a/nats/connection';
import { consume, type ConsumerOptions, type Consumption } from './consumer.js';
import { deadLetterTable } from './testing/dead-letter-table.js';
import { type DeadLetter, listDeadLetters } from './dead-letters.js';
import { makeConsumer } from '@xs2a/nats/jetstream-assets';
import { until } from '@xs2a/nats/testing/until';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-consumer-'));
const logger = createLogger('consumer-test', 'silent');
let server: PostgresServer;
let nats: NatsServer;
let connection: NatsConnection;
let pool: Pool;
const consumptions: Consumption[] = [];
/** Each test uses its own stream and consumer. */
let stream = '';
let topic = '';
let published = 0;
/** The positions of the events handled so far, in order. */
let handled: number[] = [];

beforeAll(async () => {
  server = await startPostgres({ dataDir: join(folder, 'pg'), durable: false });
  await prepareDatabases(server.url());
  const owner = createPool({ url: server.url('xs2a_owner'), name: 'owner', max: 1 });
  await owner.query(deadLetterTable('settlement', 'xs2a_settlement'));
  await owner.end();
  pool = createPool({ url: server.url('xs2a_settlement'), name: 'consumer-test', logger });
  nats = await startNats({ dataDir: join(folder, 'nats') });
}, 60_000);
beforeEach(async () => {
  topic = `t${randomUUID().slice(0, 8)}`;
  stream = topic.toUpperCase();
  published = 0;
  handled = [];
  connection = await connectOnce(nats.url, 'test');
  await createStream();
});
afterEach(async () => {
  await Promise.all(consumptions.splice(0).map(async (consumption) => consumption.stop()));
  await connection.close();
});
afterAll(async () => {
  await pool.end();
  await Promise.all([nats.stop(), server.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Creates the stream as the migration job does. `ackWaitMs`: milliseconds until an unacknowledged event is
 * redelivered.
 */
const createStream = async (ackWaitMs?: number): Promise<void> => {
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: stream, subjects: [`xs2a.${topic}.>`], storage: 'file' });
  await makeDurable(ackWaitMs);
};
const makeDurable = async (ackWaitMs?: number): Promise<unknown> =>
  makeConsumer(
    await jetstreamManager(connection),
    { stream, durable: topic, filter: `xs2a.${topic}.signed.>` },
    ackWaitMs,
  );
const publish = async (type: string, count = 1): Promise<void> => {
  const client = jetstream(connection);
  for (let index = 0; index < count; index += 1) {
    published += 1;
    const event: Pick<PublishedEvent, 'id' | 'type' | 'pos'> = {
      id: randomUUID(),
      type: `xs2a.${topic}.${type}`,
      pos: published,
    };
    await client.publish(`xs2a.${topic}.${type}.s`, JSON.stringify(event));
  }
};
const record: ConsumerOptions['handle'] = async ({ pos }) => {
  handled.push(pos);
};
const start = (options: Partial<ConsumerOptions> = {}): Consumption => {
  const consumption = consume({
    natsUrl: nats.url,
    stream,
    durable: topic,
    pool,
    handle: record,
    logger,
    ...options,
  });
  consumptions.push(consumption);
  return consumption;
};
const durable = async (): Promise<ConsumerInfo> =>
  (await jetstreamManager(connection)).consumers.info(stream, topic);
/** Resolves once every event has been acknowledged or stored as a dead letter. */
const done = async (): Promise<void> =>
  until(async () => expect(await durable()).toMatchObject({ num_pending: 0, num_ack_pending: 0 }));
const letters = async (): Promise<DeadLetter[]> =>
  (await listDeadLetters(pool)).filter(({ consumer }) => consumer === topic);
const sorted = (positions: Iterable<number>): number[] => [...positions].sort((a, b) => a - b);
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);
const restartNats = async (): Promise<void> => {
  const { port } = nats;
  nats.kill();
  await nats.exited;
  nats = await startNats({ dataDir: join(folder, 'nats'), port });
  await connection.close();
  connection = await connectOnce(nats.url, 'test');
};
/** Runs a process that fetches this many events and exits without acknowledging them. */
const dieWith = async (count: number): Promise<void> => {
  const lost = await connectOnce(nats.url, 'lost');
  const messages = await (await jetstream(lost).consumers.get(stream, topic)).fetch({ max_messages: count });
  for await (const message of messages)
    if (messages.getReceived() === count) expect(message.seq).toBeDefined();
  await lost.close();
};
/** Returns a promise and the function that resolves it. */
const gate = (): { readonly opened: Promise<void>; readonly open: () => void } => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
};

describe('a consumer (architecture, Event store 4)', () => {
  it('handles each matching event in order, one at a time', async () => {
    let [now, max] = [0, 0];
    await publish('signed', 120);
    await publish('other', 3);
    await publish('signed', 330);
    start({
      handle: async (event) => {
        now += 1;
        max = Math.max(max, now);
        await pool.query('SELECT');
        await record(event);
        now -= 1;
      },
    });
    await done();
    expect(handled).toEqual([...range(1, 120), ...range(124, 453)]);
    expect(max).toBe(1);
  });

  it('acknowledges an event after its effect', async () => {
    const { opened, open } = gate();
    const begun = gate();
    await publish('signed', 3);
    start({
      handle: async (event) => {
        begun.open();
        await opened;
        await record(event);
      },
    });
    await begun.opened;
    await until(async () => expect((await durable()).num_ack_pending).toBe(3));
    expect((await durable()).ack_floor.stream_seq).toBe(0);
    open();
    await done();
    expect((await durable()).ack_floor.stream_seq).toBe(3);
    expect(handled).toEqual([1, 2, 3]);
  });

  it('reports the number of waiting events until it is stopped (metric xs2a_events_waiting)', async () => {
    await publish('signed', 300);
    const waiting = async (): Promise<number> => {
      const { values = [] } = (await metrics.getSingleMetric('xs2a_events_waiting')?.get()) ?? {};
      return values.find(({ labels }) => labels['consumer'] === topic)?.value ?? -1;
    };
    const seen: number[] = [];
    const consumption = start({ handle: async () => void seen.push(await waiting()) });
    await done();
    expect(Math.max(...seen)).toBeGreaterThanOrEqual(200);
    expect(await waiting()).toBe(0);
    await consumption.stop();
    expect(await waiting()).toBe(-1);
  });

  it('handles nothing after it is stopped, and the next consumer continues from the same position', async () => {
    const { opened, open } = gate();
    const begun = gate();
    await publish('signed', 1);
    const first = start({
      handle: async (event) => {
        begun.open();
        await opened;
        await record(event);
      },
    });
    await begun.opened;
    await publish('signed', 3);
    await until(async () => expect((await durable()).num_ack_pending).toBe(4));
    const stopped = first.stop();
    open();
    await stopped;
    expect(handled).toEqual([1]);
    await makeDurable(1000);
    start();
    await done();
    expect(new Set(handled)).toEqual(new Set(range(1, 4)));
  });

  it('receives an event again if its process ended between the effect and the acknowledgement', async () => {
    await makeDurable(1000);
    await publish('signed', 3);
    let ended = false;
    start({
      afterEffect: () => {
        if (ended) return;
        ended = true;
        throw new Error('the process ends here');
      },
    });
    await done();
    expect(handled.length).toBeGreaterThan(3);
    expect(sorted(new Set(handled))).toEqual([1, 2, 3]);
  });

  it('receives an event again if NATS fails between the effect and the acknowledgement', async () => {
    await makeDurable(1000);
    await publish('signed', 3);
    const { opened, open } = gate();
    const begun = gate();
    const consumption = start({
      handle: async (event) => {
        begun.open();
        await opened;
        await record(event);
      },
    });
    await begun.opened;
    const restarted = restartNats();
    open();
    await restarted;
    await publish('signed', 2);
    await done();
    expect(sorted(new Set(handled))).toEqual(range(1, 5));
    expect(consumption.degraded()).toBeUndefined();
  }, 20_000);

  it('shares its work with other instances: while one is busy, another handles new events', async () => {
    const { opened, open } = gate();
    const begun = gate();
    const byFirst: number[] = [];
    await publish('signed', 1);
    start({
      handle: async ({ pos }) => {
        begun.open();
        await opened;
        byFirst.push(pos);
      },
    });
    await begun.opened;
    start();
    await publish('signed', 300);
    await until(async () => expect(handled.length).toBeGreaterThanOrEqual(201));
    open();
    await done();
    expect(byFirst.length).toBeGreaterThanOrEqual(1);
    expect(sorted([...handled, ...byFirst])).toEqual(range(1, 301));
  }, 20_000);
});

describe('an event that cannot be handled (architecture, Event store 4)', () => {
  it('is delivered five times and becomes a dead letter, while the other events are still handled', async () => {
    await publish('signed', 5);
    let tries = 0;
    start({
      handle: async (event) => {
        if (event.pos === 3) {
          tries += 1;
          throw callFailed('internal');
        }
        await record(event);
      },
    });
    await until(async () => expect(sorted(handled)).toEqual([1, 2, 4, 5]));
    await done();
    expect(tries).toBe(5);
    expect(await letters()).toEqual([
      expect.objectContaining({
        pos: 3,
        subject: `xs2a.${topic}.signed.s`,
        reason: 'CallFailed',
        replay: null,
      }),
    ]);
  }, 20_000);

  it('becomes a dead letter under its negated stream sequence if the message is not an event', async () => {
    await publish('other', 6);
    await jetstream(connection).publish(`xs2a.${topic}.signed.s`, 'not JSON');
    await publish('signed', 1);
    start();
    await done();
    expect(handled).toEqual([7]);
    expect(await letters()).toMatchObject([{ pos: -7, body: 'not JSON', reason: 'SyntaxError' }]);
  }, 20_000);

  it('becomes a dead letter if the process ended during each of its five deliveries, and the waiting events are then handled', async () => {
    await makeDurable(100);
    await publish('signed', 2);
    for (let deliveries = 1; deliveries < 5; deliveries += 1) await dieWith(2);
    const hanging = gate();
    const begun = gate();
    const ending = start({
      handle: async () => {
        begun.open();
        await hanging.opened;
        throw new Error('the end of a process that the test cannot end');
      },
    });
    await begun.opened;
    const atTheEnd = await letters();
    start();
    await done();
    expect(handled).toEqual([2]);
    expect(atTheEnd).toMatchObject([{ pos: 1, reason: 'the process ended during each delivery' }]);
    expect(await letters()).toEqual(atTheEnd);
    hanging.open();
    await ending.stop();
  }, 20_000);

  it('does not become a dead letter while a dependency is down, and is not delivered to other instances', async () => {
    await makeDurable(1000);
    await publish('signed', 3);
    let tries = 0;
    const consumption = start({
      handle: async (event) => {
        tries += 1;
        if (tries <= 6) throw dependencyDown();
        await record(event);
      },
    });
    await until(async () => expect(consumption.degraded()).toBe('events are not consumed'));
    await done();
    expect(consumption.degraded()).toBeUndefined();
    expect(sorted(handled)).toEqual([1, 2, 3]);
    expect((await durable()).delivered.consumer_seq).toBe(3);
    expect(await letters()).toEqual([]);
  }, 20_000);
});

describe('a consumer when NATS is down or the stream is lost (architecture, Event store 4)', () => {
  it('continues once NATS is back up', async () => {
    await publish('signed', 2);
    const consumption = start();
    await done();
    await restartNats();
    await publish('signed', 2);
    await done();
    expect(sorted(new Set(handled))).toEqual([1, 2, 3, 4]);
    expect(consumption.degraded()).toBeUndefined();
  }, 20_000);

  it('consumes a recreated stream from its start, and until then reports what is missing', async () => {
    await publish('signed', 4);
    const consumption = start();
    await done();
    const { streams } = await jetstreamManager(connection);
    await streams.delete(stream);
    const missing = `${stream} or its consumer ${topic} is missing: run the migration job`;
    await until(async () => expect(consumption.degraded()).toBe(missing));
    published = 0;
    await createStream();
    await publish('signed', 6);
    await done();
    expect(handled).toEqual([...range(1, 4), ...range(1, 6)]);
    expect(consumption.degraded()).toBeUndefined();
  }, 20_000);

  it('reports that its durable consumer is missing, and continues once it has been created', async () => {
    const { consumers } = await jetstreamManager(connection);
    await consumers.delete(stream, topic);
    await publish('signed', 2);
    const consumption = start();
    await until(async () => expect(consumption.degraded()).toMatch('run the migration job'));
    await makeDurable();
    await done();
    expect(handled).toEqual([1, 2]);
  }, 20_000);
});
