// Lane: long (it takes half a minute).
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { NatsServer } from '@xs2a/local-servers/nats-server';
import { makeAssets } from '@xs2a/nats/jetstream-assets';
import { startNatsWithAssets } from '@xs2a/nats/testing/nats-with-assets';
import { connectOnce } from '@xs2a/nats/connection';
import { createLogger } from '@xs2a/observability/logger';
import { newId } from '@xs2a/runtime/ids';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { type Anchor } from '../verification/log-anchor.js';
import { publishedEvents } from '../verification/published-copy.js';
import { RelayLog } from '../publishing/relay-log.js';
import { Relay } from '../publishing/relay.js';
import { allPublished } from '../testing/all-published.js';
import {
  counted,
  type SampleDatabase,
  type SampleStore,
  startSampleDatabase,
  sampleResource,
  asPublished,
} from '../testing/sample-stream.js';
import { type Verification, verifyStreams } from '../verification/verify-events.js';
import { eventStoreViolations } from '../verification/violations.js';

let database: SampleDatabase;
let nats: NatsServer;
let owner: Pool;
let connection: NatsConnection;
const relays: Relay[] = [];
const logged: {
  readonly level: string;
  readonly msg: string;
  readonly after?: number;
  readonly upTo?: number;
}[] = [];
const logger = createLogger('database-went-back-test', 'warn', {
  destination: { write: (line: string) => void logged.push(JSON.parse(line)) },
});

beforeAll(async () => {
  database = await startSampleDatabase();
  owner = database.superuserPool('payments');
  nats = await startNatsWithAssets({ dataDir: join(database.folder, 'nats') });
  connection = await connectOnce(nats.url, 'test');
}, 60_000);
beforeEach(async () => {
  logged.length = 0;
  await database.sql(
    'TRUNCATE payments.events, payments.log, payments.unsequenced, payments.sample_view, payments.log_gap, payments.log_anchor, payments.lost_event, payments.examined_server',
  );
  await makeStreamAnew();
});
afterEach(stopRelays);
afterAll(async () => {
  await connection.close();
  await nats.stop();
  await database.stop();
});

type Instance = { readonly relay: Relay; readonly store: SampleStore };
/** One instance of a service, with its own connections. */
const startInstance = (refillEvents?: number): Instance => {
  const pool = database.pool();
  const store = database.store(pool);
  const relay = new Relay({ pool, store: asPublished(store), natsUrl: nats.url, logger, refillEvents });
  relay.start();
  relays.push(relay);
  return { relay, store };
};
async function stopRelays(): Promise<void> {
  await Promise.all(relays.splice(0).map(async (relay) => relay.stop()));
}
async function makeStreamAnew(): Promise<void> {
  const { streams } = await jetstreamManager(connection);
  await streams.delete('PAYMENTS');
  await makeAssets(connection);
}
/** Appends each event to its own stream. */
const append = async ({ store }: Instance, count: number): Promise<void> => {
  const outcomes = Array.from({ length: count }, async () =>
    store.append({ streamId: newId(), events: [counted(1)], actor: 'tester' }),
  );
  expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['appended']));
};
const appendAndPublish = async (instance: Instance, count: number): Promise<number> => {
  await append(instance, count);
  return published();
};
const published = async (): Promise<number> => allPublished(owner, nats.url);
const eventually = async <Value>(ask: () => Promise<Value>, withinMs = 10_000): Promise<Value> => {
  const end = performance.now() + withinMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
  }
};
/**
 * Simulates failover to a replica that lags behind: newer events and all database connections of the services are
 * lost.
 */
const goBackTo = async (pos: number): Promise<void> => {
  await database.sql(`BEGIN;
    LOCK TABLE payments.unsequenced IN EXCLUSIVE MODE;
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'xs2a_payments';
    DELETE FROM payments.log WHERE pos > ${pos};
    DELETE FROM payments.log_gap WHERE up_to > ${pos};
    DELETE FROM payments.unsequenced;
    DELETE FROM payments.events e WHERE NOT EXISTS (SELECT FROM payments.log l WHERE l.stream_id = e.stream_id AND l.version = e.version);
    DELETE FROM payments.sample_view v WHERE NOT EXISTS (SELECT FROM payments.events e WHERE e.stream_id = v.stream_id);
    COMMIT`);
};
const positionsInStream = async (): Promise<number[]> => {
  const positions: number[] = [];
  for await (const { event } of publishedEvents(connection, 'payments')) positions.push(event.pos);
  return positions;
};
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
const gaps = async (): Promise<unknown[]> =>
  database.sql('SELECT after::int, up_to::int FROM payments.log_gap ORDER BY after');
const violations = async (): Promise<string[]> => {
  const pool = database.superuserPool('payments');
  const store = database.store(pool);
  const found = await eventStoreViolations(pool, sampleResource, { nats: connection, stores: [store] });
  return found.filter(({ invariant }) => invariant === 4).map(({ text }) => text);
};
const verify = async (trusted: readonly Anchor[] = []): Promise<Verification> => {
  expect(await violations()).toEqual([]);
  const pool = database.superuserPool('payments');
  return verifyStreams(pool, { resource: sampleResource, nats: connection, trusted });
};

describe('when the database reverts to an earlier state while services are running (architecture, Event store 3)', () => {
  it('new events get positions after the last one in the stream, and each is published once and in order, even while relays take turns', async () => {
    const [one, other] = [startInstance(), startInstance()];
    await appendAndPublish(one, 100);
    const manager = await jetstreamManager(connection);
    await manager.consumers.add('PAYMENTS', { durable_name: 'reader', ack_policy: 'explicit' });
    const { anchor: newest } = await verify();
    await goBackTo(60);
    const { anchor: restored } = await verifyStreams(database.superuserPool('payments'), {
      resource: sampleResource,
    });
    await appendInSpite(other, 50);
    await one.relay.stop();
    await appendInSpite(other, 50);
    const third = startInstance();
    await other.relay.stop();
    expect(await appendAndPublish(third, 20)).toBe(220);

    expect(await positionsInStream()).toEqual(range(1, 220));
    expect(await gaps()).toEqual([{ after: 60, up_to: 100 }]);
    expect(logged.filter(({ level }) => level === 'error')).toEqual([
      expect.objectContaining({ msg: expect.stringContaining('went back'), after: 60, upTo: 100 }),
    ]);
    const reader = await jetstream(connection).consumers.get('PAYMENTS', 'reader');
    const seen: string[] = [];
    for await (const message of await reader.fetch({ max_messages: 220, expires: 5000 })) {
      seen.push(message.json<{ id: string }>().id);
      message.ack();
    }
    const stored = await database.sql(
      'SELECT e.event_id AS id FROM payments.log l JOIN payments.events e USING (stream_id, version) ORDER BY l.pos',
    );
    expect(new Set(seen).size).toBe(220);
    expect([...seen.slice(0, 60), ...seen.slice(100)]).toEqual(stored.map(({ id }) => id));

    expect(await verify([newest, restored])).toMatchObject({ events: 180, copies: 220, findings: [] });
  }, 30_000);

  /**
   * Appends until it succeeds. If the connection is cut during an append, the outcome is unknown, so the append is
   * retried.
   */
  const appendInSpite = async (instance: Instance, count: number): Promise<void> =>
    eventually(async () => append(instance, count));

  it('the relay that leads next does not record the gap again', async () => {
    const first = startInstance();
    await appendAndPublish(first, 100);
    await goBackTo(60);
    await eventually(async () => expect(await gaps()).toHaveLength(1));
    await stopRelays();
    const second = startInstance();
    await published();
    expect(await appendAndPublish(second, 1)).toBe(101);
    expect(await gaps()).toEqual([{ after: 60, up_to: 100 }]);
    expect(await positionsInStream()).toEqual(range(1, 101));
  }, 20_000);

  it('all lost events are recorded, even if a single statement for all of them would time out', async () => {
    await appendAndPublish(startInstance(), 310);
    await database.sql(`CREATE FUNCTION payments.slowly() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_sleep(0.02); RETURN new; END';
      CREATE TRIGGER slowly BEFORE INSERT ON payments.lost_event FOR EACH ROW EXECUTE FUNCTION payments.slowly()`);
    try {
      await goBackTo(10);
      await eventually(async () => expect(await gaps()).toEqual([{ after: 10, up_to: 310 }]), 25_000);
    } finally {
      await database.sql('DROP TRIGGER slowly ON payments.lost_event; DROP FUNCTION payments.slowly');
    }
    expect(
      await database.sql('SELECT min(pos)::int, max(pos)::int, count(*)::int FROM payments.lost_event'),
    ).toEqual([{ min: 11, max: 310, count: 300 }]);
    expect(await database.sql('SELECT count(*)::int FROM payments.examined_server')).toEqual([{ count: 1 }]);
  }, 60_000);

  it('it can revert again, to a point before or after an earlier gap', async () => {
    const instance = startInstance();
    await appendAndPublish(instance, 100);
    await goBackTo(60);
    await eventually(async () => expect(await gaps()).toHaveLength(1));
    expect(await eventually(async () => appendAndPublish(instance, 100))).toBe(200);
    await goBackTo(150);
    await eventually(async () => expect(await gaps()).toHaveLength(2));
    await eventually(async () => appendAndPublish(instance, 1));
    expect(await gaps()).toEqual([
      { after: 60, up_to: 100 },
      { after: 150, up_to: 200 },
    ]);
    expect(await verify()).toMatchObject({ events: 111, copies: 201, findings: [] });
    await goBackTo(50);
    await eventually(async () => expect(await gaps()).toEqual([{ after: 50, up_to: 201 }]));
    expect(await eventually(async () => appendAndPublish(instance, 9))).toBe(210);
    expect(await verify()).toMatchObject({ events: 59, copies: 210, findings: [] });
  }, 30_000);

  it('events that lost only their positions get new ones', async () => {
    const instance = startInstance();
    await appendAndPublish(instance, 10);
    await stopRelays();
    await database.sql(`WITH gone AS (DELETE FROM payments.log WHERE pos > 7 RETURNING stream_id, version)
      INSERT INTO payments.unsequenced (stream_id, version) SELECT stream_id, version FROM gone`);
    startInstance();
    expect(await published()).toBe(13);
    expect(await verify()).toMatchObject({ events: 10, copies: 13, findings: [] });
    expect(await gaps()).toEqual([{ after: 7, up_to: 10 }]);
  }, 20_000);

  it('the relay keeps publishing after late messages from an earlier leader whose positions have been reassigned', async () => {
    const instance = startInstance();
    await appendAndPublish(instance, 100);
    await stopRelays();
    await append(instance, 3);
    const session = await database.pool().connect();
    const given = await new RelayLog(session).sequence(100);
    session.release();
    expect(given.map(({ pos }) => pos)).toEqual(range(101, 103));
    for (const copy of await copiesUpTo(5)) {
      const late = { ...copy.event, id: newId(), subject: newId(), pos: 100 + copy.event.pos };
      await jetstream(connection).publish(copy.subject, JSON.stringify(late));
    }
    for (const expected of [106, 107]) {
      expect(await appendAndPublish(startInstance(), 1)).toBe(expected);
      await stopRelays();
    }
    expect(await positionsInStream()).toEqual([...range(1, 105), ...range(101, 103), 106, 107]);
    expect(await gaps()).toEqual([{ after: 103, up_to: 105 }]);
    expect(logged.map(({ msg, after, upTo }) => [msg.slice(0, 40), after, upTo])).toEqual([
      ['relay: the stream holds lost events at t', 100, 103],
      ['relay: the database went back to an earl', 103, 105],
    ]);
  }, 20_000);

  it('the relay continues after the gap if the stream lost its last messages up to the gap, or was lost itself', async () => {
    await appendAndPublish(startInstance(), 100);
    const kept = await copiesUpTo(80);
    await goBackTo(60);
    await eventually(async () => expect(await gaps()).toHaveLength(1));
    await stopRelays();
    await makeStreamAnew();
    for (const { subject, event } of kept)
      await jetstream(connection).publish(subject, JSON.stringify(event));
    const instance = startInstance();
    expect(await appendAndPublish(instance, 5)).toBe(105);
    expect(await positionsInStream()).toEqual([...range(1, 80), ...range(101, 105)]);
    expect(await verify()).toMatchObject({ copies: 85, findings: [] });

    await makeStreamAnew();
    await eventually(async () =>
      expect(await positionsInStream()).toEqual([...range(1, 60), ...range(101, 105)]),
    );
    expect(await verify()).toMatchObject({ copies: 65, findings: [] });
    await goBackTo(103);
    await eventually(async () => appendAndPublish(instance, 1));
    expect(await gaps()).toEqual([
      { after: 60, up_to: 100 },
      { after: 103, up_to: 105 },
    ]);
    expect((await positionsInStream()).slice(-3)).toEqual([104, 105, 106]);
  }, 30_000);

  const copiesUpTo = async (to: number) => {
    const copies = [];
    for await (const copy of publishedEvents(connection, 'payments', { to })) copies.push(copy);
    return copies;
  };

  it('the relay does not publish if the database is empty, because nothing shows that the stream is a copy of it', async () => {
    await appendAndPublish(startInstance(), 3);
    await goBackTo(0);
    const { relay } = startInstance();
    await eventually(async () => {
      await expect(relay.check()).rejects.toThrow(
        'PAYMENTS ends at position 3 and holds none of the newest events that the database has up to there; to publish',
      );
    });
    expect(await gaps()).toEqual([]);
  }, 20_000);
});

describe('a stream that was lost (STREAM_REFILL_EVENTS) (architecture, Event store 3)', () => {
  it('is filled with the newest events first, then with new ones', async () => {
    const instance = startInstance(20);
    await appendAndPublish(instance, 100);
    await makeStreamAnew();
    await eventually(async () => expect(await positionsInStream()).toEqual(range(81, 100)));
    await appendAndPublish(instance, 10);
    expect(await positionsInStream()).toEqual(range(81, 110));
    expect(await verify()).toMatchObject({ copies: 30, findings: [] });
    expect(logged).toContainEqual(expect.objectContaining({ level: 'warn', after: 0, upTo: 80 }));
  }, 20_000);

  it.each([
    ['continued from its end', 80, range(81, 100), []],
    [
      'not continued further back than that',
      40,
      range(81, 100),
      ['PAYMENTS lacks 40 events between its first and its last'],
    ],
  ] as [string, number, number[], string[]][])(
    'is %s if only its newest events were lost',
    async (_title, end, refilled, lacking) => {
      await appendAndPublish(startInstance(), 100);
      await stopRelays();
      const copies = [];
      for await (const copy of publishedEvents(connection, 'payments', { to: end })) copies.push(copy);
      await makeStreamAnew();
      for (const { subject, event } of copies)
        await jetstream(connection).publish(subject, JSON.stringify(event));
      const instance = startInstance(20);
      await published();
      expect(await positionsInStream()).toEqual([...range(1, end), ...refilled]);
      expect(await violations()).toEqual(lacking);
      expect(logged.filter(({ level }) => level === 'warn')).toHaveLength(lacking.length);
      await goBackTo(95);
      await eventually(async () => appendAndPublish(instance, 1));
      expect(await gaps()).toEqual([{ after: 95, up_to: 100 }]);
      expect((await positionsInStream()).at(-1)).toBe(101);
    },
    20_000,
  );
});
