import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { PublishedEvent } from '@xs2a/contracts/published-event';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { createLogger } from '@xs2a/observability/logger';
import { metrics } from '@xs2a/observability/metrics';
import { createPool } from '@xs2a/postgres/pool';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool, type PoolClient } from 'pg';
import { callFailed, dependencyDown } from './call-failed.js';
import { connectOnce } from './connection.js';
import { consume, type ConsumerOptions, type Consumption } from './consumer.js';
import { consumerTables, deadLetterReplays } from './consumer.tables.js';
import { until } from './testing/until.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-consumer-'));
const logger = createLogger('consumer-test', 'silent');
let server: PostgresServer;
let nats: NatsServer;
let connection: NatsConnection;
let superuser: Pool;
const pools: Pool[] = [];
const consumptions: Consumption[] = [];
/** Each test has a stream and a consumer of its own. */
let stream = '';
let topic = '';
let published = 0;

beforeAll(async () => {
  server = await startPostgres({ dataDir: join(folder, 'pg'), durable: false });
  await prepareDatabases(server.url());
  const url = new URL(server.url());
  url.pathname = '/xs2a';
  superuser = new Pool({ connectionString: url.href, max: 2 });
  // Its server may be gone before the connections have closed.
  superuser.on('error', () => undefined);
  await superuser.query(
    consumerTables('settlement', 'xs2a_settlement') + deadLetterReplays('settlement', 'xs2a_settlement'),
  );
  await superuser.query(`CREATE TABLE settlement.effect (id bigint GENERATED ALWAYS AS IDENTITY, consumer text, pos bigint);
    GRANT SELECT, INSERT ON settlement.effect TO xs2a_settlement;
    CREATE TABLE settlement.held (id int); GRANT INSERT ON settlement.held TO xs2a_settlement;`);
  // Whoever inserts into it waits at the commit for the lock 4711.
  await superuser.query(`CREATE FUNCTION settlement.wait() RETURNS trigger LANGUAGE plpgsql
      AS 'BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NULL; END';
    CREATE CONSTRAINT TRIGGER waits AFTER INSERT ON settlement.held INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION settlement.wait()`);
  nats = await startNats({ dataDir: join(folder, 'nats') });
}, 60_000);
beforeEach(async () => {
  topic = `t${randomUUID().slice(0, 8)}`;
  stream = topic.toUpperCase();
  published = 0;
  connection = await connectOnce(nats.url, 'test');
  await createStream();
});
afterEach(async () => {
  await Promise.all(consumptions.splice(0).map(async (consumption) => consumption.stop()));
  await connection.close();
});
afterAll(async () => {
  await Promise.all([superuser, ...pools].map(async (pool) => pool.end()));
  await Promise.all([nats.stop(), server.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

const createStream = async (): Promise<void> => {
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: stream, subjects: [`xs2a.${topic}.>`], storage: 'file' });
};
/** As the relay would: the stream's sequence is the event's position. */
const publish = async (type: string, count = 1, ids?: readonly string[]): Promise<void> => {
  const client = jetstream(connection);
  for (let index = 0; index < count; index += 1) {
    published += 1;
    const event: PublishedEvent = {
      specversion: '1.0',
      id: ids?.[index] ?? randomUUID(),
      source: '/xs2a/test',
      type: `xs2a.${topic}.${type}`,
      subject: 's',
      time: '2026-01-05T10:00:00.000Z',
      datacontenttype: 'application/json',
      sequence: 1,
      pos: published,
      schemaversion: 1,
      actor: 'tester',
      data: { index },
    };
    await client.publish(`xs2a.${topic}.${type}.s`, JSON.stringify(event), {
      expect: { lastSequence: published - 1 },
    });
  }
};
const record = async (client: PoolClient, events: readonly PublishedEvent[]): Promise<void> => {
  await client.query('INSERT INTO effect (consumer, pos) SELECT $1, unnest($2::bigint[])', [
    topic,
    events.map(({ pos }) => pos),
  ]);
};
const start = (options: Partial<ConsumerOptions> = {}): Consumption => {
  const pool = createPool({ url: server.url('xs2a_settlement'), name: 'consumer-test', max: 4, logger });
  pools.push(pool);
  const consumption = consume({
    natsUrl: nats.url,
    stream,
    durable: topic,
    filterSubject: `xs2a.${topic}.signed.>`,
    logged: async () => ({ events: [], upTo: 0 }),
    pool,
    handle: record,
    logger,
    ...options,
  });
  consumptions.push(consumption);
  return consumption;
};
const effects = async (): Promise<number[]> => {
  const { rows } = await superuser.query<{ pos: number }>(
    'SELECT pos::int FROM settlement.effect WHERE consumer = $1 ORDER BY id',
    [topic],
  );
  return rows.map(({ pos }) => pos);
};
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);
const restartNats = async (whileDown: () => void = () => undefined): Promise<void> => {
  const { port } = nats;
  nats.kill();
  await nats.exited;
  whileDown();
  nats = await startNats({ dataDir: join(folder, 'nats'), port });
  await connection.close();
  connection = await connectOnce(nats.url, 'test');
};
/** A promise with its resolver. */
const gate = (): { readonly opened: Promise<void>; readonly open: () => void } => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
};

describe('consumer (architecture, Event store 4)', () => {
  it('handles what matches, in order and once, one batch at a time, with at most 256 events in memory', async () => {
    const { consumers } = await jetstreamManager(connection);
    const [sizes, delivered]: [number[], number[]] = [[], []];
    let [now, most] = [0, 0];
    await publish('signed', 120);
    await publish('other', 3);
    await publish('signed', 330);
    await publish('other', 2);
    const consumption = start({
      handle: async (client, events) => {
        now += 1;
        most = Math.max(most, now);
        sizes.push(events.length);
        delivered.push((await consumers.info(stream, topic)).num_ack_pending);
        await record(client, events);
        now -= 1;
      },
    });
    await consumption.caughtUp(455);
    expect(await effects()).toEqual([...range(1, 120), ...range(124, 453)]);
    expect(most).toBe(1);
    expect(Math.max(...sizes)).toBe(100);
    expect(Math.max(...delivered)).toBe(256);
  }, 20_000);

  it('tells how many events wait (metric xs2a_events_waiting)', async () => {
    await publish('signed', 300);
    const waiting = async (): Promise<number> => {
      const { values = [] } = (await metrics.getSingleMetric('xs2a_events_waiting')?.get()) ?? {};
      return values.find(({ labels }) => labels['consumer'] === topic)?.value ?? -1;
    };
    const seen: number[] = [];
    const consumption = start({
      handle: async (client, events) => {
        await record(client, events);
        seen.push(await waiting());
      },
    });
    await consumption.caughtUp(300);
    expect(Math.max(...seen)).toBeGreaterThanOrEqual(100);
    while ((await waiting()) !== 0) await new Promise(setImmediate);
  });

  it('goes on where it stopped', async () => {
    await publish('signed', 3);
    const first = start();
    await first.caughtUp(3);
    await first.stop();
    await publish('signed', 3);
    await start().caughtUp(6);
    expect(await effects()).toEqual(range(1, 6));
  });

  it('is not caught up before the stream has come to that position', async () => {
    await publish('signed', 2);
    const consumption = start();
    await expect(consumption.caughtUp(3, 100)).rejects.toThrow('dependencyDown');
    await publish('other', 1);
    await consumption.caughtUp(3);
    expect(await effects()).toEqual([1, 2]);
  });

  it('does nothing twice when a delivery comes again', async () => {
    await publish('signed', 3);
    const { opened, open } = gate();
    const consumption = start({
      ackWaitMs: 100,
      handle: async (client, events) => {
        await opened;
        await record(client, events);
      },
    });
    const manager = await jetstreamManager(connection);
    await until(async () => {
      const info = await manager.consumers.info(stream, topic);
      expect(info.num_redelivered).toBeGreaterThan(0);
    });
    open();
    await consumption.caughtUp(3);
    await publish('signed', 1);
    await consumption.caughtUp(4);
    expect(await effects()).toEqual(range(1, 4));
  }, 20_000);

  it('moves the cursor in the transaction of the effect, and acknowledges after its commit', async () => {
    const { consumers } = await jetstreamManager(connection);
    const state = async (): Promise<unknown> => {
      const { num_ack_pending: open, ack_floor } = await consumers.info(stream, topic);
      return { open, acknowledged: ack_floor.stream_seq, effects: await effects() };
    };
    const keeper = await superuser.connect();
    await keeper.query('SELECT pg_advisory_lock(4711)');
    await publish('signed', 3);
    const consumption = start({
      handle: async (client, events) => {
        await record(client, events);
        await client.query('INSERT INTO held VALUES (1)');
      },
    });
    const waiting = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
    await until(async () => expect((await keeper.query(waiting)).rowCount).toBe(1));
    const before = await state();
    await keeper.query('SELECT pg_advisory_unlock(4711)');
    keeper.release();
    expect(before).toEqual({ open: 3, acknowledged: 0, effects: [] });
    await consumption.caughtUp(3);
    await until(async () => expect(await state()).toEqual({ open: 0, acknowledged: 3, effects: [1, 2, 3] }));
    const { rows } = await superuser.query(
      `SELECT e.xmin::text = c.xmin::text AS together FROM settlement.effect e
       JOIN settlement.consumer_cursor c USING (consumer, pos) WHERE consumer = $1`,
      [topic],
    );
    expect(rows).toEqual([{ together: true }]);
  }, 20_000);

  it('does nothing twice when NATS dies between the effect and the acknowledgement', async () => {
    await publish('signed', 3);
    const { opened, open } = gate();
    const begun = gate();
    const consumption = start({
      handle: async (client, events) => {
        begun.open();
        await opened;
        await record(client, events);
      },
    });
    await begun.opened;
    const restarted = restartNats();
    open();
    await restarted;
    await publish('signed', 2);
    await until(async () => consumption.caughtUp(5, 500));
    expect(await effects()).toEqual(range(1, 5));
  }, 20_000);

  it('shares the work between two instances without doing it twice, also when the active one is cut off', async () => {
    const both = [start(), start()];
    for (let round = 0; round < 4; round += 1) {
      await publish('signed', 20);
      await until(async () => {
        const { rowCount } = await superuser.query(
          "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted",
        );
        expect(rowCount).toBe(1);
      });
    }
    await until(async () => both[0]?.caughtUp(80, 500));
    expect(await effects()).toEqual(range(1, 80));
  }, 20_000);

  it('puts an event aside after five tries and goes on', async () => {
    await publish('signed', 5);
    let tries = 0;
    const consumption = start({
      handle: async (client, events) => {
        const poisoned = events.some(({ pos }) => pos === 3);
        if (poisoned && events.length === 1) tries += 1;
        await record(client, events);
        if (poisoned) throw callFailed('internal');
      },
    });
    await consumption.caughtUp(5, 10_000);
    expect(await effects()).toEqual([1, 2, 4, 5]);
    expect(tries).toBe(5);
    const { rows } = await superuser.query(
      "SELECT pos::int, subject, reason, body::json->>'type' AS type FROM settlement.dead_letter WHERE consumer = $1",
      [topic],
    );
    expect(rows).toEqual([
      { pos: 3, subject: `xs2a.${topic}.signed.s`, reason: 'CallFailed', type: `xs2a.${topic}.signed` },
    ]);
  }, 20_000);

  it('puts aside what is not an event at all', async () => {
    await jetstream(connection).publish(`xs2a.${topic}.signed.s`, 'not JSON');
    published = 1;
    await publish('signed', 1);
    await start().caughtUp(2, 10_000);
    expect(await effects()).toEqual([2]);
  }, 20_000);

  it('never puts an event aside because somebody else is away', async () => {
    await publish('signed', 1);
    let tries = 0;
    const consumption = start({
      handle: async (client, events) => {
        tries += 1;
        if (tries <= 6) throw dependencyDown();
        await record(client, events);
      },
    });
    await until(async () => consumption.caughtUp(1, 500));
    expect(tries).toBe(7);
    expect(await effects()).toEqual([1]);
  }, 30_000);

  it('reads on when the stream lost its end and was published again', async () => {
    const ids = Array.from({ length: 6 }, () => randomUUID());
    await publish('signed', 2, ids);
    const consumption = start();
    await consumption.caughtUp(2);
    await restartNats(() => cpSync(join(folder, 'nats'), join(folder, 'kept'), { recursive: true }));
    await publish('signed', 4, ids.slice(2));
    await until(async () => consumption.caughtUp(6, 500));
    await restartNats(() => {
      rmSync(join(folder, 'nats'), { recursive: true });
      cpSync(join(folder, 'kept'), join(folder, 'nats'), { recursive: true });
    });
    published = 2;
    await publish('signed', 4, ids.slice(2));
    await publish('signed', 3);
    await until(async () => consumption.caughtUp(9, 500));
    expect(await effects()).toEqual(range(1, 9));
  }, 30_000);

  it('reads on when the stream was removed and published again', async () => {
    const ids = Array.from({ length: 4 }, () => randomUUID());
    await publish('signed', 4, ids);
    const consumption = start();
    await consumption.caughtUp(4);
    await (await jetstreamManager(connection)).streams.delete(stream);
    await createStream();
    published = 0;
    await publish('signed', 4, ids);
    await publish('signed', 2);
    await until(async () => consumption.caughtUp(6, 500));
    expect(await effects()).toEqual(range(1, 6));
  }, 20_000);

  it('refuses a stream of another history', async () => {
    await publish('signed', 4);
    const consumption = start();
    await consumption.caughtUp(4);
    await consumption.stop();
    await (await jetstreamManager(connection)).streams.delete(stream);
    await createStream();
    published = 0;
    await publish('signed', 6);
    const after = start();
    await until(async () => expect(after.check()).rejects.toThrow('another event'));
    expect(await effects()).toEqual(range(1, 4));
  }, 20_000);
});
