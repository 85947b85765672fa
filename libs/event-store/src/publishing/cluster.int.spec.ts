// Lane: long (it takes half a minute).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { type NatsCluster, startNatsCluster, untilDone } from '@xs2a/local-servers/nats-cluster';
import { connectOnce } from '@xs2a/nats/connection';
import { consume, type Consumption } from '@xs2a/consumers/consumer';
import { deadLetterTable } from '@xs2a/consumers/testing/dead-letter-table';
import { makeAssetsAt, makeConsumer } from '@xs2a/nats/jetstream-assets';
import { newId } from '@xs2a/runtime/ids';
import { join } from 'node:path';
import { copyFindings } from '../verification/published-copy.js';
import { Relay } from './relay.js';
import { allPublished } from '../testing/all-published.js';
import {
  counted,
  type SampleDatabase,
  silent,
  startSampleDatabase,
  asPublished,
} from '../testing/sample-stream.js';

let database: SampleDatabase;
let cluster: NatsCluster;
let relay: Relay | undefined;
let consumption: Consumption | undefined;

beforeAll(async () => {
  database = await startSampleDatabase({ durable: true });
  cluster = await startNatsCluster({ dataDir: join(database.folder, 'cluster') });
  await database.sql(deadLetterTable('payments', 'xs2a_payments'));
  await database.sql(`CREATE TABLE payments.effect (pos bigint PRIMARY KEY);
    GRANT INSERT, SELECT ON payments.effect TO xs2a_payments`);
});
afterAll(async () => {
  await consumption?.stop();
  await relay?.stop();
  await cluster.stop();
  await database.stop();
});

/** Returns the node that leads the stream and the number of copies. Retries while the cluster is electing a leader. */
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

const makeEffectsConsumer = async (): Promise<void> => {
  const connection = await connectOnce(cluster.url, 'test');
  try {
    await makeConsumer(await jetstreamManager(connection, { checkAPI: false, timeout: 5000 }), {
      stream: 'PAYMENTS',
      durable: 'effects',
      filter: 'xs2a.payments.>',
    });
  } finally {
    await connection.close();
  }
};

const countEffects = async (): Promise<number> => {
  const [row] = await database.sql('SELECT count(*)::int AS effects FROM payments.effect');
  return Number(row?.['effects']);
};
/** Waits for this many effects, as long as their number keeps growing: the rate depends on the machine. */
const untilHandled = async (events: number): Promise<void> => {
  const before = await countEffects();
  if (before < events) {
    await untilDone(async () => expect(await countEffects()).toBeGreaterThan(before));
    return untilHandled(events);
  }
  expect(before).toBe(events);
};

describe('a cluster of three NATS servers, one of them killed under load (quality: reliability)', () => {
  it('keeps three copies, has every event in the stream once, and handles every event', async () => {
    const pool = database.pool();
    const store = database.store(pool);
    // The nodes must find each other and elect a leader before a stream can be created.
    await untilDone(async () => makeAssetsAt(cluster.url));
    await untilDone(makeEffectsConsumer);
    relay = new Relay({ pool, store: asPublished(store), natsUrl: cluster.url, logger: silent });
    relay.start();
    consumption = await consume({
      natsUrl: cluster.url,
      stream: 'PAYMENTS',
      durable: 'effects',
      pool,
      handle: async ({ pos }) => {
        await pool.query('INSERT INTO effect (pos) VALUES ($1) ON CONFLICT DO NOTHING', [pos]);
      },
      logger: silent,
    });
    /** Allows one slow attempt, because electing a new leader can take a while. */
    const published = async (): Promise<number> => {
      let pos = 0;
      await untilDone(async () => void (pos = await allPublished(pool, cluster.url)));
      return pos;
    };
    let appended = 0;
    const load = async (batches: number): Promise<void> => {
      for (let batch = 0; batch < batches; batch += 1) {
        const outcomes = await Promise.all(
          Array.from({ length: 20 }, () => ({
            streamId: newId(),
            events: [counted(1), counted(2)],
            actor: 'tester',
          })).map(async (change) => store.append(change)),
        );
        appended += outcomes.filter((outcome) => outcome === 'appended').length * 2;
      }
    };
    await load(20);
    await published();
    const { leader, replicas } = await streamCluster();
    expect(replicas).toBe(3);

    const loading = load(60);
    cluster.nodes[leader]?.kill();
    await loading;
    await cluster.restart(leader);

    expect(await published()).toBe(appended);
    expect((await streamCluster()).last).toBe(appended);
    await untilHandled(appended);
  }, 180_000);

  it('allows the whole copy to be compared even if the stream has no leader at first: the dropped request is repeated', async () => {
    const { leader } = await streamCluster();
    const lost = [leader, (leader + 1) % 3];
    const connection = await connectOnce(cluster.nodes[(leader + 2) % 3]?.url ?? '', 'test');
    try {
      for (const index of lost) cluster.nodes[index]?.kill();
      const compared = copyFindings(database.pool(), { nats: connection, resource: 'payments' }, (found) => {
        throw new Error(found.text);
      });
      await Promise.all(lost.map(async (index) => cluster.restart(index)));
      const [events] = await database.sql('SELECT count(*)::int AS events FROM payments.log');
      const all = events?.['events'];
      expect(await compared).toEqual({ comparedUpTo: all, copies: all, missing: 0 });
    } finally {
      await connection.close();
    }
  });
});
