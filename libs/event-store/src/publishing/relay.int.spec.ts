import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { PublishedEvent } from '@xs2a/events/published-event';
import type { NatsServer } from '@xs2a/local-servers/nats-server';
import { makeAssetsAt } from '@xs2a/nats/jetstream-assets';
import { startNatsWithAssets } from '@xs2a/nats/testing/nats-with-assets';
import { callContext } from '@xs2a/calls/context';
import { connectOnce } from '@xs2a/nats/connection';
import { newId } from '@xs2a/runtime/ids';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isLive } from '@xs2a/postgres/session-lock';
import type { Pool } from 'pg';
import type { EventStore } from '../streams/event-store.js';
import { RelayLog } from './relay-log.js';
import { RelayStream } from './jetstream-copy.js';
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
let pool: Pool;
let store: EventStore<SampleEvent, SampleState>;
const relays: Relay[] = [];
beforeAll(async () => {
  database = await startSampleDatabase({ durable: true });
  nats = await startNatsWithAssets({ dataDir: join(database.folder, 'nats') });
  pool = database.pool();
  store = database.store(pool);
}, 60_000);
afterEach(async () => {
  await Promise.all(relays.splice(0).map(async (relay) => relay.stop()));
});
afterAll(async () => {
  await nats.stop();
  await database.stop();
});

const startRelay = ({
  store: appending,
  ...more
}: {
  readonly pool: Pool;
  readonly store: EventStore<SampleEvent, SampleState>;
  readonly refillEvents?: number;
}): Relay => {
  const relay = new Relay({ ...more, store: asPublished(appending), natsUrl: nats.url, logger: silent });
  relay.start();
  relays.push(relay);
  return relay;
};
const append = async (count: number, by = store): Promise<void> => {
  const outcomes = await Promise.all(
    Array.from({ length: count }, () => ({
      streamId: newId(),
      events: [counted(1), counted(2)],
      actor: 'tester',
    })).map(async (change) => by.append(change)),
  );
  expect(new Set(outcomes)).toEqual(new Set(['appended']));
};
const published = async (): Promise<number> => allPublished(pool, nats.url);
const manager = async <Answer>(
  work: (streams: Awaited<ReturnType<typeof jetstreamManager>>['streams']) => Promise<Answer>,
): Promise<Answer> => {
  const connection = await connectOnce(nats.url, 'test');
  try {
    return await work((await jetstreamManager(connection)).streams);
  } finally {
    await connection.close();
  }
};

/** Returns all messages in the stream with their JetStream sequences. */
const inStream = async (): Promise<{ seq: number; subject: string; event: PublishedEvent }[]> => {
  const connection = await connectOnce(nats.url, 'test');
  try {
    const { state } = await (await jetstreamManager(connection)).streams.info('PAYMENTS');
    const consumer = await jetstream(connection).consumers.get('PAYMENTS', {});
    const found: { seq: number; subject: string; event: PublishedEvent }[] = [];
    if (state.messages === 0) return found;
    for await (const message of await consumer.fetch({ max_messages: state.messages, expires: 5000 })) {
      found.push({ seq: message.seq, subject: message.subject, event: message.json<PublishedEvent>() });
    }
    return found;
  } finally {
    await connection.close();
  }
};

/** Checks invariant 4 (quality): every event exists once, positions are contiguous, and versions are in order. */
const expectStreamEqualsLog = async (): Promise<void> => {
  const log = await database.sql(
    'SELECT l.pos::int, e.event_id, e.stream_id, e.version FROM payments.log l JOIN payments.events e USING (stream_id, version) ORDER BY pos',
  );
  const [counts] = await database.sql(
    'SELECT (SELECT count(*)::int FROM payments.events) AS events, (SELECT count(*)::int FROM payments.unsequenced) AS waiting',
  );
  expect(counts).toEqual({ events: log.length, waiting: 0 });
  expect(log.map((row) => row['pos'])).toEqual(log.map((_, index) => index + 1));
  const stream = await inStream();
  expect(stream.map(({ event }) => [event.pos, event.id, event.sequence])).toEqual(
    log.map((row) => [row['pos'], row['event_id'], row['version']]),
  );
  const versions = new Map<unknown, number>();
  for (const row of log) {
    expect(row['version']).toBe((versions.get(row['stream_id']) ?? 0) + 1);
    versions.set(row['stream_id'], Number(row['version']));
  }
};

describe('the relay (architecture, Event store 2 and 3)', () => {
  it('publishes an event as a CloudEvent on xs2a.<resource>.<event>.<partition>', async () => {
    startRelay({ pool, store });
    const streamId = newId();
    await store.append({ streamId, events: [counted(3, 'note')], actor: 'tpp-1' });
    const pos = await published();
    const last = (await inStream()).at(-1);
    expect(last?.subject).toBe(`xs2a.payments.counted.${streamId.slice(-2)}`);
    const [stored] = await store.history(streamId);
    expect(last?.event).toEqual({
      specversion: '1.0',
      id: stored?.eventId,
      source: '/xs2a/payments',
      type: 'xs2a.payments.counted',
      subject: streamId,
      time: stored?.occurredAt,
      datacontenttype: 'application/json',
      sequence: 1,
      pos,
      schemaversion: 1,
      actor: 'tpp-1',
      data: { by: 3, note: 'note' },
    });
  });

  it('propagates the trace context, so that a consumer joins the trace of the request', async () => {
    startRelay({ pool, store });
    const context = { requestId: 'b2b7d6e6-0000-4000-8000-000000000001', traceparent: '00-a-b-01' };
    await callContext.run(context, async () =>
      store.append({ streamId: newId(), events: [counted(1)], actor: 'tpp-1' }),
    );
    await published();
    expect((await inStream()).at(-1)?.event).toMatchObject({ traceparent: '00-a-b-01', actor: 'tpp-1' });
  });

  it('keeps at most 256 subjects per event type in nats-server, however many streams there are (quality: "memory stays bounded")', async () => {
    startRelay({ pool, store });
    await append(600);
    await published();
    const { state } = await manager(async (streams) =>
      streams.info('PAYMENTS', { subjects_filter: 'xs2a.payments.counted.>' }),
    );
    expect(state.messages).toBeGreaterThanOrEqual(600);
    expect(state.num_subjects).toBeLessThanOrEqual(256);
    expect(Object.keys(state.subjects ?? {})).toHaveLength(state.num_subjects ?? 0);
  });

  it('publishes events appended by any instance, including an instance that does not lead', async () => {
    startRelay({ pool, store });
    await published();
    const otherPool = database.pool();
    const otherStore = database.store(otherPool);
    startRelay({ pool: otherPool, store: otherStore });
    await append(300, otherStore);
    await published();
    await expectStreamEqualsLog();
  }, 20_000);

  it('keeps the stream gapless and in order, even with two relays and a leader that loses its connection', async () => {
    const otherPool = database.pool();
    startRelay({ pool, store });
    startRelay({ pool: otherPool, store: database.store(otherPool) });
    /** Terminates the session of the relay that holds the lock. */
    const cutLeader = async (): Promise<void> => {
      const cut = await database.sql(
        `SELECT pg_terminate_backend(pid) FROM payments.session_lock l WHERE ${isLive('l')}`,
      );
      expect(cut).toHaveLength(1);
    };
    let cuts = 0;
    const work = Array.from({ length: 12 }, async (_, index) => {
      await append(50);
      if (index % 4 !== 1) return;
      await expectEventually(cutLeader);
      cuts += 1;
    });
    // A lost connection may abort an append. The caller then does not know its outcome, but an append is
    // never partial.
    await Promise.allSettled(work);
    expect(cuts).toBe(3);
    await published();
    await expectStreamEqualsLog();
  }, 30_000);

  it('rejects positions assigned by a leader that has been replaced', async () => {
    await append(4);
    const [first, second] = [await pool.connect(), await pool.connect()];
    try {
      const head = await new RelayLog(first).head();
      const inOrder = await new RelayLog(first).sequence(head);
      expect(inOrder.map(({ pos }) => pos)).toEqual(inOrder.map((_, index) => head + index + 1));
      await append(1);
      await expect(new RelayLog(second).sequence(head)).rejects.toMatchObject({ code: '23505' });
      expect(await new RelayLog(second).head()).toBe(head + inOrder.length);
    } finally {
      first.release();
      second.release();
    }
  });

  it('rejects messages from a leader that has been replaced', async () => {
    const connection = await connectOnce(nats.url, 'test');
    const client = await pool.connect();
    try {
      const late = await RelayStream.open(connection, 'payments');
      const relay = startRelay({ pool, store });
      await append(3);
      await published();
      await relay.stop();
      const log = new RelayLog(client);
      const newest = await log.read((await log.head()) - 4);
      await expect(late.publish(newest)).rejects.toThrow('wrong last sequence');
      await expectStreamEqualsLog();
    } finally {
      client.release();
      await connection.close();
    }
  });

  it.each([
    [
      'was removed, as soon as it is recreated',
      async () => {
        await manager(async (streams) => streams.delete('PAYMENTS'));
        await makeAssetsAt(nats.url);
      },
    ],
    [
      'was recreated by another client',
      async () =>
        manager(async (streams) => {
          const { config } = await streams.info('PAYMENTS');
          await streams.delete('PAYMENTS');
          await streams.add(config);
        }),
    ],
    [
      'was lost with all files of NATS',
      async () => restartNats(async () => rmSync(join(database.folder, 'nats'), { recursive: true })),
    ],
  ] as [string, () => Promise<unknown>][])(
    'republishes the events of a stream that %s',
    async (_title, lose) => {
      startRelay({ pool, store });
      await append(2);
      await published();
      await lose();
      await append(3);
      await expectEventually(expectStreamEqualsLog);
    },
    20_000,
  );

  it('republishes the last messages of a stream that were lost when NATS was killed', async () => {
    startRelay({ pool, store });
    await append(5);
    await published();
    await restartNats(async () =>
      cpSync(join(database.folder, 'nats'), join(database.folder, 'kept'), { recursive: true }),
    );
    await append(20);
    await published();
    await restartNats(async () => {
      rmSync(join(database.folder, 'nats'), { recursive: true });
      cpSync(join(database.folder, 'kept'), join(database.folder, 'nats'), { recursive: true });
    });
    await expectEventually(expectStreamEqualsLog);
  }, 30_000);

  it('does not lose an acknowledged append or publish one twice when PostgreSQL is killed', async () => {
    startRelay({ pool, store });
    const acknowledged: string[] = [];
    const crashed = new AbortController();
    const clients = Array.from({ length: 8 }, async () => {
      while (!crashed.signal.aborted) {
        const streamId = newId();
        const outcome = await store
          .append({ streamId, events: [counted(1)], actor: 'tester' })
          .catch(() => 'unknown');
        if (outcome === 'appended') acknowledged.push(streamId);
      }
    });
    await expectEventually(async () => expect(acknowledged.length).toBeGreaterThan(50));
    await database.crash();
    crashed.abort();
    await Promise.all(clients);
    expect((await store.many.load(acknowledged)).size).toBe(acknowledged.length);
    await append(1);
    await published();
    await expectStreamEqualsLog();
  }, 30_000);

  it('refuses to publish to a stream whose events are not in the log (the stream of another database)', async () => {
    const relay = startRelay({ pool, store });
    await append(1);
    await published();
    await relay.stop();
    const before = (await manager(async (streams) => streams.info('PAYMENTS'))).state.last_seq;
    const events = await database.sql('SELECT stream_id, version, event_id FROM payments.events');
    await database.sql('UPDATE payments.events SET event_id = gen_random_uuid()');
    await append(1);
    const after = startRelay({ pool, store });
    await expectEventually(async () => {
      await expect(after.check()).rejects.toThrow('holds none of the newest events');
    });
    await after.stop();
    expect((await manager(async (streams) => streams.info('PAYMENTS'))).state.last_seq).toBe(before);
    await database.sql(
      `UPDATE payments.events e SET event_id = k.event_id
        FROM json_to_recordset($1) AS k (stream_id uuid, version int, event_id uuid)
        WHERE e.stream_id = k.stream_id AND e.version = k.version`,
      [JSON.stringify(events)],
    );
  }, 20_000);

  it('refuses to publish to a stream that has dropped all events still in the log (a database restored from an old backup)', async () => {
    const relay = startRelay({ pool, store });
    await append(1);
    await published();
    await relay.stop();
    await manager(async (streams) => {
      const { config, state } = await streams.info('PAYMENTS');
      await streams.update('PAYMENTS', { max_bytes: 4000 });
      expect((await streams.info('PAYMENTS')).state.first_seq).toBeGreaterThan(1);
      await streams.update('PAYMENTS', { max_bytes: config.max_bytes });
      expect(state.last_seq).toBeGreaterThan(10);
    });
    const goBack = await database.sql('SELECT pos, stream_id, version FROM payments.log WHERE pos > 1');
    await database.sql('DELETE FROM payments.log WHERE pos > 1');
    const after = startRelay({ pool, store });
    await expectEventually(async () => {
      await expect(after.check()).rejects.toThrow(
        /holds none of the newest events that the database has up to there; .* run: xs2a events republish/,
      );
    });
    await after.stop();
    await database.sql('DELETE FROM payments.log WHERE pos > 1');
    for (const { pos, stream_id, version } of goBack)
      await database.sql('INSERT INTO payments.log (pos, stream_id, version) VALUES ($1, $2, $3)', [
        pos,
        stream_id,
        version,
      ]);
  }, 20_000);
});

const restartNats = async (whileDown: () => Promise<void>): Promise<void> => {
  const { port } = nats;
  nats.kill();
  await nats.exited;
  await whileDown();
  nats = await startNatsWithAssets({ dataDir: join(database.folder, 'nats'), port });
};

/** Recovery must be visible within ten seconds (quality, Reliability). */
const expectEventually = async (check: () => Promise<void>): Promise<void> => {
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
