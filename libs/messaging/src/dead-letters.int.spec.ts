import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { PublishedEvent } from '@xs2a/contracts/published-event';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { createLogger } from '@xs2a/observability/logger';
import { createPool } from '@xs2a/postgres/pool';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool, PoolClient } from 'pg';
import { callFailed, dependencyDown } from './call-failed.js';
import { connectOnce } from './connection.js';
import { consume, type Consumption } from './consumer.js';
import { consumerTables, deadLetterReplays } from './consumer.tables.js';
import {
  type BuriedEvent,
  countDeadLetters,
  discardDeadLetter,
  listDeadLetters,
  readDeadLetter,
  requestReplay,
} from './dead-letters.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-letters-'));
const logger = createLogger('dead-letters-test', 'silent');
let server: PostgresServer;
let nats: NatsServer;
let connection: NatsConnection;
let owner: Pool;
let worker: Pool;
let consumption: Consumption | undefined;
/** Each test has a stream and a consumer of its own; nothing that it sends is handled until the test says so. */
let topic = '';
let broken: (pos: number) => Error | undefined = () => undefined;
let handled: number[] = [];

beforeAll(async () => {
  server = await startPostgres({ dataDir: join(folder, 'pg'), durable: false });
  await prepareDatabases(server.url());
  const ownerUrl = new URL(server.url('xs2a_owner'));
  ownerUrl.searchParams.set('options', '-c search_path=settlement');
  owner = createPool({ url: ownerUrl.href, name: 'operator', max: 4 });
  worker = createPool({ url: server.url('xs2a_settlement'), name: 'worker', max: 6 });
  await owner.query(consumerTables('settlement', 'xs2a_settlement'));
  await owner.query(deadLetterReplays('settlement', 'xs2a_settlement'));
  await owner.query(`CREATE TABLE settlement.effect (consumer text, pos bigint);
    GRANT SELECT, INSERT ON settlement.effect TO xs2a_settlement`);
  nats = await startNats({ dataDir: join(folder, 'nats') });
  connection = await connectOnce(nats.url, 'test');
}, 60_000);
beforeEach(async () => {
  topic = `t${randomUUID().slice(0, 8)}`;
  handled = [];
  broken = () => undefined;
  await owner.query('DELETE FROM dead_letter');
  const { streams } = await jetstreamManager(connection);
  await streams.add({ name: topic.toUpperCase(), subjects: [`xs2a.${topic}.>`], storage: 'file' });
});
afterEach(async () => {
  await consumption?.stop();
  consumption = undefined;
});
afterAll(async () => {
  await connection.close();
  await Promise.all([owner.end(), worker.end()]);
  await Promise.all([nats.stop(), server.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

const publish = async (count: number): Promise<void> => {
  for (let pos = 1; pos <= count; pos += 1) {
    const event: Pick<PublishedEvent, 'id' | 'pos' | 'data'> = { id: randomUUID(), pos, data: {} };
    await jetstream(connection).publish(`xs2a.${topic}.signed.s`, JSON.stringify(event));
  }
};
const handle = async (client: PoolClient, events: readonly PublishedEvent[]): Promise<void> => {
  for (const { pos } of events) {
    handled.push(pos);
    await client.query('INSERT INTO effect (consumer, pos) VALUES ($1, $2)', [topic, pos]);
    const error = broken(pos);
    if (error !== undefined) throw error;
  }
};
const start = (): void => {
  const stream = topic.toUpperCase();
  const filterSubject = `xs2a.${topic}.>`;
  consumption = consume({
    natsUrl: nats.url,
    stream,
    durable: topic,
    filterSubject,
    logged: async () => ({ events: [], upTo: 0 }),
    pool: worker,
    handle,
    logger,
  });
};
/** A consumer that has put aside the second of three events. */
const buried = async (): Promise<{ readonly consumer: string; readonly pos: number }> => {
  await publish(3);
  broken = (pos) => (pos === 2 ? callFailed('internal') : undefined);
  start();
  await consumption?.caughtUp(3, 10_000);
  broken = () => undefined;
  return { consumer: topic, pos: 2 };
};
const effects = async (): Promise<number[]> => {
  const { rows } = await owner.query<{ pos: number }>(
    'SELECT pos FROM effect WHERE consumer = $1 ORDER BY pos',
    [topic],
  );
  return rows.map(({ pos }) => pos);
};
/** The letter once it is as wanted; undefined stands for one that is gone. */
const letterOnce = async (
  wanted: (letter: BuriedEvent | undefined) => boolean,
): Promise<BuriedEvent | undefined> => {
  const end = performance.now() + 10_000;
  for (;;) {
    const letter = await readDeadLetter(owner, { consumer: topic, pos: 2 });
    if (wanted(letter)) return letter;
    if (performance.now() > end) throw new Error(`not so after 10 s: ${JSON.stringify(letter)}`);
  }
};

describe('dead letters (architecture, Event store 4)', () => {
  it('are listed with what the operator has to know, and without the error’s data', async () => {
    const letter = await buried();
    expect(await countDeadLetters(owner)).toBe(1);
    expect(await listDeadLetters(owner)).toEqual([
      {
        ...letter,
        subject: `xs2a.${topic}.signed.s`,
        body: expect.stringContaining('"pos":2'),
        reason: 'CallFailed',
        buriedAt: expect.any(Date),
        replay: null,
      },
    ]);
  });

  it('have their effect once when replayed, however often that is asked for', async () => {
    const letter = await buried();
    await Promise.all(Array.from({ length: 20 }, async () => requestReplay(owner, letter)));
    await letterOnce((one) => one === undefined);
    expect(await requestReplay(owner, letter)).toBe(false);
    expect(await effects()).toEqual([1, 2, 3]);
  });

  it('wait for a consumer that is down', async () => {
    const letter = await buried();
    await consumption?.stop();
    expect(await requestReplay(owner, letter)).toBe(true);
    expect(await readDeadLetter(owner, letter)).toMatchObject({ replay: 'requested' });
    start();
    await letterOnce((one) => one === undefined);
    expect(await effects()).toEqual([1, 2, 3]);
  });

  it('stay with the new reason when they fail again, without an effect, and may be asked for again', async () => {
    const letter = await buried();
    broken = () => new TypeError('with data');
    await requestReplay(owner, letter);
    expect(await letterOnce((one) => one?.replay === 'failed')).toMatchObject({ reason: 'TypeError' });
    expect(await effects()).toEqual([1, 3]);
    broken = () => undefined;
    await requestReplay(owner, letter);
    await letterOnce((one) => one === undefined);
    expect(await effects()).toEqual([1, 2, 3]);
  });

  it('are tried on while somebody else is away', async () => {
    const letter = await buried();
    handled = [];
    broken = () => (handled.length < 4 ? dependencyDown() : undefined);
    await requestReplay(owner, letter);
    await letterOnce((one) => one === undefined);
    expect(handled).toEqual([2, 2, 2, 2]);
    expect(await effects()).toEqual([1, 2, 3]);
  });

  it('are taken up again after a crash in the middle, five times at most', async () => {
    const letter = await buried();
    await consumption?.stop();
    const crash = async (tries: number): Promise<unknown> =>
      owner.query(`UPDATE dead_letter SET replay = 'under-way', replay_tries = $1`, [tries]);
    await crash(5);
    start();
    expect(await letterOnce((one) => one?.replay === 'failed')).toMatchObject({
      reason: 'the process ended during each replay',
    });
    await consumption?.stop();
    await crash(4);
    start();
    await letterOnce((one) => one === undefined);
    expect(await effects()).toEqual([1, 2, 3]);
    expect(await readDeadLetter(owner, letter)).toBeUndefined();
  });

  it('that were discarded have no effect, also when their replay was asked for', async () => {
    const letter = await buried();
    await consumption?.stop();
    await requestReplay(owner, letter);
    expect(await discardDeadLetter(owner, letter)).toBe(true);
    expect(await discardDeadLetter(owner, letter)).toBe(false);
    await jetstream(connection).publish(
      `xs2a.${topic}.signed.s`,
      JSON.stringify({ id: randomUUID(), pos: 4 }),
    );
    start();
    await consumption?.caughtUp(4);
    expect(await effects()).toEqual([1, 3, 4]);
    expect(await countDeadLetters(owner)).toBe(0);
  });

  it('are either replayed or discarded, never both', async () => {
    const letter = await buried();
    await requestReplay(owner, letter);
    const discarded = await discardDeadLetter(owner, letter);
    await letterOnce((one) => one === undefined);
    expect(await effects()).toEqual(discarded ? [1, 3] : [1, 2, 3]);
  });

  it('do not hold up the events that come after', async () => {
    const letter = await buried();
    broken = (pos) => (pos === 2 ? callFailed('internal') : undefined);
    await requestReplay(owner, letter);
    await jetstream(connection).publish(
      `xs2a.${topic}.signed.s`,
      JSON.stringify({ id: randomUUID(), pos: 4 }),
    );
    await consumption?.caughtUp(4);
    expect(await effects()).toEqual([1, 3, 4]);
  });
});
