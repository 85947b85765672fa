// Lane: long (it takes half a minute).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { eventType } from '@xs2a/events/event-types';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { createLogger } from '@xs2a/observability/logger';
import { createPool } from '@xs2a/postgres/pool';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { connectOnce } from '@xs2a/nats/connection';
import { consume, type ConsumerOptions, type Consumption } from './consumer.js';
import { listDeadLetters, putAside, readDeadLetter, requestReplay } from './dead-letters.js';
import { makeConsumer } from '@xs2a/nats/jetstream-assets';
import { deadLetterTable } from './testing/dead-letter-table.js';
import { until } from '@xs2a/nats/testing/until';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-consumer-releases-'));
const logger = createLogger('consumer-test', 'silent');
let server: PostgresServer;
let nats: NatsServer;
let connection: NatsConnection;
let pool: Pool;
let stream = '';
let topic = '';
let published = 0;
let handled: number[] = [];

beforeAll(async () => {
  server = await startPostgres({ dataDir: join(folder, 'pg'), durable: false });
  await prepareDatabases(server.url());
  const owner = createPool({ url: server.url('xs2a_owner'), name: 'owner', max: 1 });
  await owner.query(deadLetterTable('settlement', 'xs2a_settlement'));
  await owner.end();
  pool = createPool({ url: server.url('xs2a_settlement'), name: 'consumer-test', logger });
  nats = await startNats({ dataDir: join(folder, 'nats') });
  connection = await connectOnce(nats.url, 'test');
}, 60_000);
beforeEach(async () => {
  topic = `t${randomUUID().slice(0, 8)}`;
  stream = topic.toUpperCase();
  published = 0;
  handled = [];
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: stream, subjects: [`xs2a.${topic}.>`], storage: 'file' });
  await makeConsumer(manager, { stream, durable: topic, filter: `xs2a.${topic}.signed.>` });
});
afterAll(async () => {
  await connection.close();
  await pool.end();
  await Promise.all([nats.stop(), server.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

const start = (options: Partial<ConsumerOptions>): Consumption =>
  consume({
    natsUrl: nats.url,
    stream,
    durable: topic,
    pool,
    handle: async ({ pos }) => void handled.push(pos),
    logger,
    ...options,
  });
const durable = async () => (await jetstreamManager(connection)).consumers.info(stream, topic);
const done = async (): Promise<void> =>
  until(async () => expect(await durable()).toMatchObject({ num_pending: 0, num_ack_pending: 0 }));

describe('events of other releases (architecture, Upgrades)', () => {
  const types = { signed: eventType('It was signed.', (data) => ({ times: data, since: 2 })) };
  /** The number of dead letters that a consumer has started to replay. */
  const replayTries = async (): Promise<number | undefined> => {
    const { rows } = await pool.query<{ begun: number }>(
      'SELECT count(replay_since)::int AS begun FROM dead_letter WHERE consumer = $1',
      [topic],
    );
    return rows[0]?.begun;
  };
  const publishAs = async (type: string, schemaversion: number): Promise<void> => {
    published += 1;
    const event = { type: `xs2a.${topic}.${type}`, pos: published, schemaversion, data: published };
    await jetstream(connection).publish(`xs2a.${topic}.signed.s`, JSON.stringify(event));
  };

  it('are delivered in the current shape if their version is older', async () => {
    const seen: unknown[] = [];
    await publishAs('signed', 1);
    await publishAs('signed', 2);
    const consumption = start({ eventTypes: types, handle: async ({ data }) => void seen.push(data) });
    await done();
    await consumption.stop();
    expect(seen).toEqual([{ times: 1, since: 2 }, 2]);
  });

  it('wait, if their version or type is newer, for an instance that can read them, and never become dead letters', async () => {
    await publishAs('signed', 3);
    await publishAs('sealed', 1);
    await publishAs('signed', 2);
    const older = start({ eventTypes: types });
    // Higher than the number of deliveries that a failing event receives.
    await until(async () => expect((await durable()).delivered.consumer_seq).toBeGreaterThan(3 + 2 * 5));
    expect(handled).toEqual([3]);
    expect(await listDeadLetters(pool)).toEqual([]);
    const newest = {
      signed: eventType('It was signed.', String, String),
      sealed: eventType('It was sealed.'),
    };
    const newer = start({ eventTypes: newest });
    await done();
    await Promise.all([older.stop(), newer.stop()]);
    expect(handled.toSorted()).toEqual([1, 2, 3]);
    expect(await listDeadLetters(pool)).toEqual([]);
  }, 60_000);

  it('are not replayed from dead letters until an instance can read their newer version', async () => {
    const letter = { consumer: topic, pos: 7 };
    const event = { type: `xs2a.${topic}.signed`, pos: 7, schemaversion: 3, data: 7 };
    await putAside(pool, { ...letter, subject: 's', body: JSON.stringify(event) }, 'no');
    await requestReplay(pool, letter);
    const older = start({ eventTypes: types });
    await until(async () => expect((await replayTries()) ?? 0).toBeGreaterThan(0));
    await older.stop();
    expect(await readDeadLetter(pool, letter)).toMatchObject({ replay: 'requested' });
    const newer = start({ eventTypes: { signed: eventType('It was signed.', String, String) } });
    await until(async () => expect(await readDeadLetter(pool, letter)).toBeUndefined());
    await newer.stop();
    expect(handled).toEqual([7]);
  }, 30_000);

  it('do not block the replay of other dead letters if their version is newer', async () => {
    for (const [pos, schemaversion] of [
      [7, 3],
      [8, 2],
    ] as const) {
      const event = { type: `xs2a.${topic}.signed`, pos, schemaversion, data: pos };
      await putAside(pool, { consumer: topic, pos, subject: 's', body: JSON.stringify(event) }, 'no');
      await requestReplay(pool, { consumer: topic, pos });
    }
    const older = start({ eventTypes: types });
    await until(async () => expect(await readDeadLetter(pool, { consumer: topic, pos: 8 })).toBeUndefined());
    await older.stop();
    expect(handled).toEqual([8]);
    expect(await readDeadLetter(pool, { consumer: topic, pos: 7 })).toMatchObject({ replay: 'requested' });
  }, 30_000);
});
