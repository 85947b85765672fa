import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager, type StreamConfig } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { PublishedEvent } from '@xs2a/events/published-event';
import type { NatsServer } from '@xs2a/local-servers/nats-server';
import { startNatsWithAssets } from '@xs2a/nats/testing/nats-with-assets';
import { connectOnce } from '@xs2a/nats/connection';
import { newId } from '@xs2a/runtime/ids';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { EventStore } from '../streams/event-store.js';
import { canonicalJson, chainHash, chainStart } from '../streams/hash-chain.js';
import { type Anchor, anchorLog } from './log-anchor.js';
import { sequenceAll } from '../testing/sequence-all.js';
import { type Copy, publishedEvents } from './published-copy.js';
import { Relay } from '../publishing/relay.js';
import { afterStatement } from '../testing/after-statement.js';
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
import { type Verification, verifyStreams, type VerifyOptions } from './verify-events.js';

let database: SampleDatabase;
let pool: Pool;
let store: EventStore<SampleEvent, SampleState>;
let nats: NatsServer;
/** The sample streams, with four events each. */
let streams: string[] = [];
const sql = async (text: string, values?: unknown[]) => database.sql(text, values);
const stream = (index: number): string => streams[index] ?? '';

const append = async (count: number): Promise<string[]> => {
  const ids = Array.from({ length: count }, () => newId());
  for (let version = 1; version <= 4; version += 1) {
    const loaded = await store.many.load(ids);
    await Promise.all(
      ids
        .map((streamId) => ({
          streamId,
          from: version === 1 ? undefined : loaded.get(streamId),
          events: [counted(version, `note ${version}`)],
          actor: 'tester',
        }))
        .map(async (change) => store.append(change)),
    );
  }
  await sequenceAll(pool);
  return ids;
};
const verify = async (options: Partial<VerifyOptions> = {}): Promise<Verification> =>
  verifyStreams(pool, { resource: sampleResource, ...options });
const found = async (options?: Partial<VerifyOptions>): Promise<string[]> =>
  (await verify(options)).findings.map(
    ({ kind, streamId, version, pos }) =>
      `${kind} ${streamId === undefined ? `pos ${pos}` : `${streams.indexOf(streamId)}/${version}`}`,
  );

beforeAll(async () => {
  database = await startSampleDatabase();
  nats = await startNatsWithAssets({ dataDir: join(database.folder, 'nats') });
  pool = database.pool();
  store = database.store(pool);
}, 60_000);
beforeEach(async () => {
  await sql(
    'TRUNCATE payments.events, payments.log, payments.unsequenced, payments.log_anchor, payments.sample_view',
  );
  streams = await append(3);
  await anchorLog(pool);
});
afterAll(async () => {
  await nats.stop();
  await database.stop();
});

/** Changes an event and recomputes all later hashes of its stream, as a skilled attacker would. */
const rewrite = async (streamId: string, from: number): Promise<void> => {
  const history = await store.history(streamId);
  let prevHash: Buffer = history[from - 2]?.hash ?? chainStart;
  for (const event of history.slice(from - 1)) {
    const data = event.version === from ? { by: 99 } : event.data;
    const hash = chainHash(prevHash, event, canonicalJson(data), canonicalJson(event.meta));
    await sql(
      'UPDATE payments.events SET data = $3, prev_hash = $4, hash = $5 WHERE stream_id = $1 AND version = $2',
      [streamId, event.version, JSON.stringify(data), prevHash, hash],
    );
    prevHash = hash;
  }
};

describe('verification of all events (architecture, Event store; quality, Security)', () => {
  it('finds no damage in unmodified events, counts them, and reports its progress', async () => {
    await append(400);
    const progress: number[] = [];
    const result = await verify({ onProgress: ({ events }) => progress.push(events) });
    expect(result).toMatchObject({
      events: 1612,
      streams: 403,
      findings: [],
      findingsInAll: 0,
      anchor: { pos: 1612 },
    });
    expect(progress.at(-1)).toBe(1612);
  });

  it('finds no damage while events wait for their position', async () => {
    await store.append({ streamId: newId(), events: [counted(1), counted(2)], actor: 'tester' });
    expect(await verify()).toMatchObject({ events: 14, findings: [] });
  });

  it('handles streams that are split across pages', async () => {
    await append(1400);
    expect(await verify()).toMatchObject({ events: 5612, streams: 1403, findings: [] });
  });

  it.each([
    ['its data', `data = '{"by": 9}'`],
    ['its type', `type = 'emptied'`],
    ['its actor', `meta = '{"actor": "somebody else"}'`],
    ['its time', `occurred_at = occurred_at + interval '1 ms'`],
    ['its schema version', 'schema_version = 2'],
    ['its hash', `hash = decode(repeat('00', 32), 'hex')`],
  ])('reports a changed event: %s', async (_title, change) => {
    await sql(`UPDATE payments.events SET ${change} WHERE stream_id = $1 AND version = 2`, [stream(1)]);
    expect(await found()).toContain('changed 1/2');
  });

  it('reports a deleted event', async () => {
    await sql('DELETE FROM payments.events WHERE stream_id = $1 AND version = 2', [stream(0)]);
    expect(await found()).toContain('deleted 0/2');
  });

  it('reports two swapped events', async () => {
    for (const [from, to] of [
      [2, 99],
      [3, 2],
      [99, 3],
    ]) {
      await sql('UPDATE payments.events SET version = $3 WHERE stream_id = $1 AND version = $2', [
        stream(2),
        from,
        to,
      ]);
    }
    expect(await found()).toEqual(expect.arrayContaining(['swapped 2/2', 'swapped 2/3']));
  });

  it('reports two events whose log positions were swapped', async () => {
    for (const [from, to] of [
      [1, 99],
      [2, 1],
      [99, 2],
    ])
      await sql('UPDATE payments.log SET version = $3 WHERE stream_id = $1 AND version = $2', [
        stream(0),
        from,
        to,
      ]);
    expect(await found()).toEqual(expect.arrayContaining(['swapped 0/2', 'changed pos 12']));
  });

  it('reports an inserted event, even if its hash is valid', async () => {
    const last = (await store.history(stream(0))).at(-1);
    if (last === undefined) throw new Error('no stream');
    const forged = { ...last, version: 5, eventId: newId(), prevHash: last.hash };
    const hash = chainHash(forged.prevHash, forged, canonicalJson(forged.data), canonicalJson(forged.meta));
    await sql(
      `INSERT INTO payments.events (stream_id, event_id, version, type, schema_version, data, meta, occurred_at, prev_hash, hash)
       VALUES ($1, $2, 5, $3, 1, $4, $5, $6, $7, $8)`,
      [
        stream(0),
        forged.eventId,
        forged.type,
        forged.data,
        forged.meta,
        forged.occurredAt,
        forged.prevHash,
        hash,
      ],
    );
    expect(await found()).toEqual(['inserted 0/5']);
  });

  it('reports a truncated stream', async () => {
    await sql('DELETE FROM payments.events WHERE stream_id = $1 AND version > 2', [stream(1)]);
    expect(await found()).toContain('truncated 1/3');
  });

  it('reports a deleted stream', async () => {
    await sql('DELETE FROM payments.events WHERE stream_id = $1', [stream(1)]);
    expect(await found()).toContain('truncated 1/1');
  });

  it('uses the log to find a truncated stream whose status view was adjusted to match', async () => {
    const [gone] = await sql(
      'SELECT pos::int FROM payments.log JOIN payments.events USING (stream_id, version) WHERE stream_id = $1 AND version = 4',
      [stream(1)],
    );
    await sql('DELETE FROM payments.events WHERE stream_id = $1 AND version = 4', [stream(1)]);
    await sql('UPDATE payments.sample_view SET version = 3 WHERE stream_id = $1', [stream(1)]);
    expect((await verify()).findings).toContainEqual(
      expect.objectContaining({ kind: 'deleted', pos: gone?.['pos'], streamId: stream(1), version: 4 }),
    );
  });

  it('uses a gap in the log to find a stream that was deleted together with its view and positions', async () => {
    await sql(`DELETE FROM payments.log WHERE stream_id = $1`, [stream(1)]);
    await sql('DELETE FROM payments.events WHERE stream_id = $1', [stream(1)]);
    await sql('DELETE FROM payments.sample_view WHERE stream_id = $1', [stream(1)]);
    const findings = await found();
    expect(findings.filter((finding) => finding.startsWith('deleted pos'))).toHaveLength(4);
  });

  it('uses the anchor to find a deleted stream after the log was renumbered', async () => {
    await sql(`DELETE FROM payments.log WHERE stream_id = $1`, [stream(0)]);
    await sql('DELETE FROM payments.events WHERE stream_id = $1', [stream(0)]);
    await sql('DELETE FROM payments.sample_view WHERE stream_id = $1', [stream(0)]);
    await sql(`CREATE TEMP TABLE anew AS SELECT row_number() OVER (ORDER BY pos) AS pos, stream_id, version FROM payments.log;
      DELETE FROM payments.log; INSERT INTO payments.log SELECT * FROM anew; DROP TABLE anew`);
    expect(await found()).toEqual(['truncated pos 12']);
    streams = [...streams, ...(await append(1))];
    expect(await found()).toEqual(['changed pos 12']);
  });

  it('uses the anchor to find a stream whose hashes were all recomputed', async () => {
    await rewrite(stream(2), 2);
    expect(await found()).toEqual(['changed pos 12']);
  });
});

describe('verification while the service writes (architecture, Event store 7)', () => {
  const during = async (statement: string, work: () => Promise<unknown>): Promise<Verification> =>
    verifyStreams(afterStatement(pool, statement, work), { resource: sampleResource });
  const writeAndAnchor = async (): Promise<void> => {
    streams = [...streams, ...(await append(1))];
    await anchorLog(pool);
  };

  it('does not mistake an anchor stored during the run for the end of a truncated log', async () => {
    for (const statement of ['stored-streams', 'verify-positions', 'log-gaps', 'log-chain', 'verify-anchors'])
      expect([statement, (await during(statement, writeAndAnchor)).findings]).toEqual([statement, []]);
  });

  it('finds a truncated log that grows again during the run', async () => {
    await sql('DELETE FROM payments.log WHERE pos > 10');
    const { findings } = await during('log-chain', writeAndAnchor);
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'truncated', pos: 12 }));
  });

  it('finds a log that is truncated during the run', async () => {
    const { findings } = await during('log-gaps', async () => sql('DELETE FROM payments.log WHERE pos > 10'));
    expect(findings).toEqual([expect.objectContaining({ kind: 'truncated', pos: 12 })]);
  });
});

describe('copies kept elsewhere (architecture, Event store 7)', () => {
  const forge = async (): Promise<void> => {
    await rewrite(stream(0), 4);
    await sql('TRUNCATE payments.log_anchor');
    await anchorLog(pool);
  };

  it('include trusted anchors, which reveal a change even if the hashes and anchors in the database were changed to match', async () => {
    const { anchor } = await verify();
    const trusted: Anchor[] = [anchor];
    await append(1);
    expect(await found({ trusted })).toEqual([]);
    await forge();
    expect(await found()).toEqual([]);
    expect(await found({ trusted })).toEqual(['changed pos 12']);
  });

  it('include the published copy, which shows which event was changed even if the hashes and anchors in the database were changed to match', async () => {
    const relay = new Relay({ pool, store: asPublished(store), natsUrl: nats.url, logger: silent });
    relay.start();
    const connection = await connectOnce(nats.url, 'test');
    try {
      await allPublished(pool, nats.url);
      expect(await verify({ nats: connection })).toMatchObject({ copies: 12, findings: [] });
      await forge();
      expect(await found()).toEqual([]);
      expect(await found({ nats: connection })).toEqual(['changed 0/4']);
      await sql('DELETE FROM payments.log WHERE pos > 10');
      expect(await found({ nats: connection })).toEqual(expect.arrayContaining(['deleted 2/4']));
    } finally {
      await connection.close();
      await relay.stop();
    }
  });

  const relayed = async (): Promise<void> => {
    const relay = new Relay({ pool, store: asPublished(store), natsUrl: nats.url, logger: silent });
    relay.start();
    try {
      await allPublished(pool, nats.url);
    } finally {
      await relay.stop();
    }
  };
  const copiesIn = async (connection: NatsConnection): Promise<Copy[]> => {
    const copies: Copy[] = [];
    for await (const copy of publishedEvents(connection, 'payments')) copies.push(copy);
    return copies;
  };
  /** Replaces the stream with one that contains only the given copies, each on its given subject. */
  const replaceStream = async (
    connection: NatsConnection,
    copies: readonly (readonly [subject: string, event: PublishedEvent])[],
    other: Partial<StreamConfig> = {},
  ): Promise<void> => {
    const { streams } = await jetstreamManager(connection);
    const { config } = await streams.info('PAYMENTS');
    await streams.delete('PAYMENTS');
    await streams.add({ ...config, ...other });
    for (const [subject, event] of copies)
      await jetstream(connection).publish(subject, JSON.stringify(event));
  };
  it('may lack messages that a full stream dropped before they were read, but none removed from the middle of the stream', async () => {
    const connection = await connectOnce(nats.url, 'test');
    try {
      await replaceStream(connection, [], { deny_delete: false });
      await append(400);
      await relayed();
      const { streams: manager } = await jetstreamManager(connection);
      const verifyWhile = async (work: () => Promise<unknown>): Promise<Verification> =>
        verifyStreams(afterStatement(pool, 'copy-originals', work), {
          resource: sampleResource,
          nats: connection,
        });
      const forget = async (): Promise<unknown> => manager.update('PAYMENTS', { max_msgs: 60 });
      const { copies = 0, ...forgotten } = await verifyWhile(forget);
      expect(copies).toBeLessThan(1612);
      expect(forgotten).toMatchObject({ missing: 0, findings: [] });
      const remove = async (): Promise<unknown> => manager.deleteMessage('PAYMENTS', 1600);
      await remove();
      expect(await verifyWhile(async () => undefined)).toMatchObject({ missing: 1, findings: [] });
    } finally {
      await connection.close();
    }
  });

  it('are reported if published under the id of another payment', async () => {
    const connection = await connectOnce(nats.url, 'test');
    try {
      await replaceStream(connection, []);
      await relayed();
      const copies = await copiesIn(connection);
      await replaceStream(
        connection,
        copies.map(({ event, subject }) => [event.pos === 5 ? `${event.type}.${newId()}` : subject, event]),
      );
      expect(await found({ nats: connection })).toEqual(['changed 1/2']);
    } finally {
      await connection.close();
    }
  });

  it('include one anchor per position, which the service cannot change', async () => {
    streams = [...streams, ...(await append(2))];
    const anchors = await Promise.all([anchorLog(pool), anchorLog(pool), anchorLog(pool)]);
    expect(new Set(anchors.flatMap((anchor) => (anchor === undefined ? [] : [anchor.hash]))).size).toBe(1);
    expect(await anchorLog(pool)).toBeUndefined();
    for (const statement of ["UPDATE log_anchor SET hash = 'x'", 'DELETE FROM log_anchor']) {
      await expect(pool.query(statement)).rejects.toMatchObject({ code: '42501' });
    }
  });
});
