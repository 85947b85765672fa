import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { type NatsCluster, startNatsCluster } from '@xs2a/local-servers/nats-cluster';
import { connectOnce } from '@xs2a/messaging/connection';
import { consume, type Consumption } from '@xs2a/messaging/consumer';
import { consumerTables, deadLetterReplays } from '@xs2a/messaging/consumer.tables';
import { makeAssetsAt } from '@xs2a/messaging/jetstream-assets';
import { newId } from '@xs2a/runtime/ids';
import { join } from 'node:path';
import { loggedEvents } from './logged-events.js';
import { Relay } from './relay.js';
import { counted, type SampleDatabase, silent, startSampleDatabase } from './testing/sample-stream.js';

let database: SampleDatabase;
let cluster: NatsCluster;
let relay: Relay | undefined;
let consumption: Consumption | undefined;

beforeAll(async () => {
  database = await startSampleDatabase({ durable: true });
  cluster = await startNatsCluster({ dataDir: join(database.folder, 'cluster') });
  await database.sql(consumerTables('payments', 'xs2a_payments'));
  await database.sql(deadLetterReplays('payments', 'xs2a_payments'));
  await database.sql(`CREATE TABLE payments.effect (pos bigint NOT NULL);
    GRANT INSERT, SELECT ON payments.effect TO xs2a_payments`);
});
afterAll(async () => {
  await consumption?.stop();
  await relay?.stop();
  await cluster.stop();
  await database.stop();
});

/** Which node leads the stream, and how many copies there are; asked again of a cluster that is choosing a leader. */
const streamCluster = async (tries = 4): Promise<{ leader: number; replicas: number; last: number }> => {
  try {
    return await streamClusterNow();
  } catch (error) {
    if (tries === 1) throw error;
    return streamCluster(tries - 1);
  }
};
const streamClusterNow = async (): Promise<{ leader: number; replicas: number; last: number }> => {
  const connection = await connectOnce(cluster.url, 'test');
  try {
    const {
      cluster: place,
      config,
      state,
    } = await (await jetstreamManager(connection)).streams.info('PAYMENTS');
    return {
      leader: Number(place?.leader?.slice(-1)) - 1,
      replicas: config.num_replicas,
      last: state.last_seq,
    };
  } finally {
    await connection.close();
  }
};

/** Tries until a call gives a value; fails with its last error after half a minute. */
const untilDone = async <T>(attempt: () => Promise<T>): Promise<T> => {
  const deadline = performance.now() + 30_000;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
};

describe('a cluster of three NATS servers, one of them killed under load (quality: reliability)', () => {
  it('keeps three copies; every event is in the stream once, and every effect happens once', async () => {
    const pool = database.pool();
    const store = database.store(pool);
    // The nodes find each other and choose one that leads before a stream can be made.
    await untilDone(async () => makeAssetsAt(cluster.url));
    relay = new Relay({ pool, store, natsUrl: cluster.url, logger: silent });
    relay.start();
    consumption = await consume({
      natsUrl: cluster.url,
      stream: 'PAYMENTS',
      durable: 'effects',
      filterSubject: 'xs2a.payments.>',
      logged: async (stretch) =>
        loggedEvents(pool, 'payments', { ...stretch, types: ['counted', 'emptied'] }),
      pool,
      handle: async (client, events) => {
        await client.query('INSERT INTO effect (pos) SELECT unnest($1::bigint[])', [
          events.map(({ pos }) => pos),
        ]);
      },
      logger: silent,
    });
    let appended = 0;
    const load = async (batches: number): Promise<void> => {
      for (let batch = 0; batch < batches; batch += 1) {
        const outcomes = await store.appendMany(
          Array.from({ length: 20 }, () => ({
            streamId: newId(),
            events: [counted(1), counted(2)],
            actor: 'tester',
          })),
        );
        appended += outcomes.filter((outcome) => outcome === 'appended').length * 2;
      }
    };
    await load(20);
    await publishedInTheEnd(relay);
    const { leader, replicas } = await streamCluster();
    expect(replicas).toBe(3);

    const loading = load(150);
    cluster.nodes[leader]?.kill();
    await loading;
    await cluster.restart(leader);

    const pos = await publishedInTheEnd(relay);
    expect(pos).toBe(appended);
    expect((await streamCluster()).last).toBe(appended);
    await consumption.caughtUp(pos, 30_000);
    const [effects] = await database.sql(
      'SELECT count(*)::int AS all, count(DISTINCT pos)::int AS once FROM payments.effect',
    );
    expect(effects).toEqual({ all: appended, once: appended });
  });
});

/** The barrier answers within 4.5 s or fails; a cluster that chooses a new leader may take longer once. */
const publishedInTheEnd = async (of: Relay): Promise<number> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return (await of.published()).pos;
    } catch (error) {
      if (tries === 8) throw error;
    }
  }
};
