import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventType, type EventTypes } from '@xs2a/domain/event-types';
import type { NatsServer } from '@xs2a/local-servers/nats-server';
import { startNatsWithAssets } from '@xs2a/messaging/testing/nats-with-assets';
import { newId } from '@xs2a/runtime/ids';
import { join } from 'node:path';
import type { Pool, QueryConfig } from 'pg';
import type { EventStore } from './event-store.js';
import { anchorLog, chainLog, logAnchorTable, logStart } from './log-anchor.js';
import { LogTail } from './log-tail.js';
import { ProjectionLog } from './projection-log.js';
import { Relay } from './relay.js';
import { anchorFindings } from './verify-log.js';
import type { Finding } from './verify-stream.js';
import {
  counted,
  type SampleDatabase,
  type SampleEvent,
  type SampleState,
  silent,
  startSampleDatabase,
} from './testing/sample-stream.js';

const types: EventTypes<'counted' | 'emptied'> = {
  counted: eventType('It was counted up.'),
  emptied: eventType('It begins from zero.'),
};
const dataOf = ['counted'];

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
  await database.sql(logAnchorTable('payments', 'xs2a_payments'));
}, 60_000);
afterEach(async () => {
  await Promise.all(relays.splice(0).map(async (relay) => relay.stop()));
});
afterAll(async () => {
  await nats.stop();
  await database.stop();
});

/** A relay with the tail that it writes, on a connection of its own as in a process of its own. */
const startRelay = (): { relay: Relay; tail: LogTail; begun: Promise<void> } => {
  const tail = new LogTail(dataOf);
  const begun = new Promise<void>((resolve) => {
    tail.onBegin(resolve);
  });
  const relay = new Relay({ pool: database.pool(), store, natsUrl: nats.url, logger: silent, tail });
  relay.start();
  relays.push(relay);
  return { relay, tail, begun };
};
const append = async (count: number): Promise<void> => {
  const changes = Array.from({ length: count }, (_, index) => ({
    streamId: newId(),
    events: [counted(1, `Кафе ${index}`), { type: 'emptied', data: {} } as const],
    actor: 'tester',
  }));
  expect(new Set(await store.appendMany(changes))).toEqual(new Set(['appended']));
};
/** The pool, and the names of the statements that it is asked. */
const listened = (): { pool: Pool; asked: string[] } => {
  const asked: string[] = [];
  const listening: Pick<Pool, 'query'> = Object.create(pool, {
    query: {
      value: async (query: QueryConfig) => {
        asked.push(query.name ?? query.text);
        return pool.query(query);
      },
    },
  });
  return { pool: listening as Pool, asked };
};
const chained = async (to: number) => {
  let last = logStart;
  for await (const anchors of chainLog(pool, logStart, to)) last = anchors.at(-1) ?? last;
  return last;
};

describe('the tail of the log (LogTail) beside a relay', () => {
  it('tells projections what the database tells, without asking it', async () => {
    const { relay, tail, begun } = startRelay();
    await begun;
    const from = (await relay.published()).pos;
    for (let round = 0; round < 3; round += 1) {
      await append(40);
      await relay.published();
    }
    const stretch = { from, head: from + 240, size: 1000, dataOf };
    const { pool: listening, asked } = listened();
    const told = await new ProjectionLog(types, tail).page(listening, stretch);
    expect(asked).toEqual([]);
    expect(told).toEqual(await new ProjectionLog(types).page(pool, stretch));
    expect(told.events).toHaveLength(240);
    const some = { ...stretch, from: from + 7, size: 50, types: ['emptied'] };
    expect(await new ProjectionLog(types, tail).page(listening, some)).toEqual(
      await new ProjectionLog(types).page(pool, some),
    );
    expect(asked).toEqual([]);
    await new ProjectionLog(types, tail).page(listening, { ...stretch, dataOf: ['counted', 'emptied'] });
    expect(asked).toEqual(['projection-page']);
  });

  it('is held by the process whose relay leads, and let go of by one that does no more', async () => {
    const first = startRelay();
    await first.begun;
    const second = startRelay();
    await append(5);
    const { pos } = await first.relay.published();
    expect(first.tail.page(pos - 10, pos, [])).toHaveLength(10);
    expect(second.tail.page(pos - 10, pos, [])).toBeUndefined();
    await first.relay.stop();
    await second.begun;
    expect(first.tail.page(pos, pos, [])).toBeUndefined();
    await append(5);
    await second.relay.published();
    expect(second.tail.page(pos, pos + 10, [])).toHaveLength(10);
    expect(second.tail.page(pos - 1, pos + 10, [])).toBeUndefined();
  });

  it('carries the anchors along: the same as from the database, whose events are read once', async () => {
    const { relay, tail, begun } = startRelay();
    await begun;
    await append(3);
    await relay.published();
    const { pool: listening, asked } = listened();
    const first = await anchorLog(listening, tail);
    expect(first).toEqual(await chained(first?.pos ?? 0));
    expect(asked.filter((name) => name === 'log-chain').length).toBeGreaterThan(0);
    expect(await anchorLog(listening, tail)).toBeUndefined();
    asked.length = 0;
    await append(700);
    const { pos } = await relay.published();
    const second = await anchorLog(listening, tail);
    expect(second).toEqual(await chained(pos));
    expect(asked).toEqual(['anchor-keep']);
    expect(await anchorLog(pool)).toBeUndefined();
  });

  it('shows what was changed in the database before the anchor was kept, chain of the stream and all', async () => {
    const { relay, tail, begun } = startRelay();
    await begun;
    await anchorLog(pool, tail);
    await append(2);
    const { pos } = await relay.published();
    await database.sql(
      `UPDATE payments.events SET hash = sha256('another'::bytea) WHERE id = (SELECT id FROM payments.log WHERE pos = $1)`,
      [pos],
    );
    expect((await anchorLog(pool, tail))?.pos).toBe(pos);
    const findings: Finding[] = [];
    await anchorFindings(pool, [], (finding) => findings.push(finding));
    expect(findings).toEqual([expect.objectContaining({ kind: 'changed', pos })]);
  });
});
