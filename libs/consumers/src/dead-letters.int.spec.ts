// Lane: long (it takes a quarter of a minute or more).
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { PublishedEvent } from '@xs2a/events/published-event';
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
import { callFailed, dependencyDown } from '@xs2a/domain/failure/failed';
import { connectOnce } from '@xs2a/nats/connection';
import { consume, type Consumption } from './consumer.js';
import { deadLetterTable } from './testing/dead-letter-table.js';
import {
  type DeadLetter,
  discardDeadLetter,
  listDeadLetters,
  readDeadLetter,
  requestReplay,
} from './dead-letters.js';
import { makeConsumer } from '@xs2a/nats/jetstream-assets';
import { until } from '@xs2a/nats/testing/until';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-letters-'));
const logger = createLogger('dead-letters-test', 'silent');
let server: PostgresServer;
let nats: NatsServer;
let connection: NatsConnection;
let owner: Pool;
let worker: Pool;
const consumptions: Consumption[] = [];
/** Each test uses its own stream and consumer, and decides when events are handled. */
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
  await owner.query(deadLetterTable('settlement', 'xs2a_settlement'));
  await owner.query(`CREATE TABLE settlement.effect (consumer text, pos bigint, PRIMARY KEY (consumer, pos));
    GRANT SELECT, INSERT ON settlement.effect TO xs2a_settlement`);
  nats = await startNats({ dataDir: join(folder, 'nats') });
  connection = await connectOnce(nats.url, 'test');
}, 60_000);
beforeEach(async () => {
  topic = `t${randomUUID().slice(0, 8)}`;
  handled = [];
  broken = () => undefined;
  await owner.query('DELETE FROM dead_letter');
  const manager = await jetstreamManager(connection);
  const stream = topic.toUpperCase();
  await manager.streams.add({ name: stream, subjects: [`xs2a.${topic}.>`], storage: 'file' });
  await makeConsumer(manager, { stream, durable: topic, filter: `xs2a.${topic}.>` });
});
afterEach(async () => stop());
afterAll(async () => {
  await connection.close();
  await Promise.all([owner.end(), worker.end()]);
  await Promise.all([nats.stop(), server.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

const publish = async (...positions: readonly number[]): Promise<void> => {
  for (const pos of positions) {
    const event: Pick<PublishedEvent, 'id' | 'pos' | 'data'> = { id: randomUUID(), pos, data: {} };
    await jetstream(connection).publish(`xs2a.${topic}.signed.s`, JSON.stringify(event));
  }
};
const handle = async ({ pos }: PublishedEvent): Promise<void> => {
  handled.push(pos);
  const error = broken(pos);
  if (error !== undefined) throw error;
  await worker.query('INSERT INTO effect (consumer, pos) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    topic,
    pos,
  ]);
};
const start = (): void => {
  const stream = topic.toUpperCase();
  consumptions.push(consume({ natsUrl: nats.url, stream, durable: topic, pool: worker, handle, logger }));
};
const stop = async (): Promise<void> => {
  await Promise.all(consumptions.splice(0).map(async (consumption) => consumption.stop()));
};
/** Resolves once every event has been acknowledged or is a dead letter. */
const done = async (): Promise<void> => {
  const { consumers } = await jetstreamManager(connection);
  await until(async () =>
    expect(await consumers.info(topic.toUpperCase(), topic)).toMatchObject({
      num_pending: 0,
      num_ack_pending: 0,
    }),
  );
};
/** Creates a consumer that has a dead letter for the second of three events. */
const aLetter = async (): Promise<{ readonly consumer: string; readonly pos: number }> => {
  await publish(1, 2, 3);
  broken = (pos) => (pos === 2 ? callFailed('internal') : undefined);
  start();
  await done();
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
/** Waits until the letter is as expected, then returns it; undefined means that it was removed. */
const letterOnce = async (
  wanted: (letter: DeadLetter | undefined) => boolean,
): Promise<DeadLetter | undefined> => {
  const end = performance.now() + 10_000;
  for (;;) {
    const letter = await readDeadLetter(owner, { consumer: topic, pos: 2 });
    if (wanted(letter)) return letter;
    if (performance.now() > end) throw new Error(`condition not met after 10 s: ${JSON.stringify(letter)}`);
  }
};

describe('dead letters (architecture, Event store 4)', () => {
  it('are listed with the details that the operator needs, but without data from the error', async () => {
    const letter = await aLetter();
    expect(await listDeadLetters(owner)).toEqual([
      {
        ...letter,
        subject: `xs2a.${topic}.signed.s`,
        body: expect.stringContaining('"pos":2'),
        reason: 'CallFailed',
        addedAt: expect.any(Date),
        replay: null,
      },
    ]);
  });

  it('take effect only once when replayed, however often the replay is requested', async () => {
    const letter = await aLetter();
    await Promise.all(Array.from({ length: 20 }, async () => requestReplay(owner, letter)));
    await letterOnce((one) => one === undefined);
    expect(await requestReplay(owner, letter)).toBe(false);
    expect(await effects()).toEqual([1, 2, 3]);
  });

  it('wait for a consumer that is down', async () => {
    const letter = await aLetter();
    await stop();
    expect(await requestReplay(owner, letter)).toBe(true);
    expect(await readDeadLetter(owner, letter)).toMatchObject({ replay: 'requested' });
    start();
    await letterOnce((one) => one === undefined);
    expect(await effects()).toEqual([1, 2, 3]);
  });

  it('have no effect if they fail again, show the new reason, and can then be replayed once more', async () => {
    const letter = await aLetter();
    broken = () => new TypeError('with data');
    await requestReplay(owner, letter);
    expect(await letterOnce((one) => one?.replay === 'failed')).toMatchObject({ reason: 'TypeError' });
    expect(await effects()).toEqual([1, 3]);
    broken = () => undefined;
    await requestReplay(owner, letter);
    await letterOnce((one) => one === undefined);
    expect(await effects()).toEqual([1, 2, 3]);
  });

  it('are retried until the failed dependency recovers', async () => {
    const letter = await aLetter();
    handled = [];
    broken = () => (handled.length < 4 ? dependencyDown() : undefined);
    await requestReplay(owner, letter);
    await letterOnce((one) => one === undefined);
    expect(handled).toEqual([2, 2, 2, 2]);
    expect(await effects()).toEqual([1, 2, 3]);
  });

  it('are replayed again ten seconds after a crash, at most five times', async () => {
    const letter = await aLetter();
    const crash = async (tries: number, seconds: number): Promise<unknown> =>
      owner.query(
        `UPDATE dead_letter SET replay = 'under-way', replay_tries = $1, replay_since = now() - make_interval(secs => $2)`,
        [tries, seconds],
      );
    await crash(5, 11);
    expect(await letterOnce((one) => one?.replay === 'failed')).toMatchObject({
      reason: 'the process ended during each replay',
    });
    await crash(4, 11);
    await letterOnce((one) => one === undefined);
    expect(await effects()).toEqual([1, 2, 3]);
    expect(await readDeadLetter(owner, letter)).toBeUndefined();
  });

  it('are replayed by only one of several consumers at a time', async () => {
    const letter = await aLetter();
    const working = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    handled = [];
    const handleSlowly = async (): Promise<void> => {
      handled.push(2);
      begun.resolve();
      await working.promise;
    };
    const options = { natsUrl: nats.url, stream: topic.toUpperCase(), durable: topic, pool: worker, logger };
    await stop();
    consumptions.push(...[1, 2, 3].map(() => consume({ ...options, handle: handleSlowly })));
    await requestReplay(owner, letter);
    await begun.promise;
    expect(await discardDeadLetter(owner, letter)).toBe(false);
    await requestReplay(owner, letter);
    expect(await readDeadLetter(owner, letter)).toMatchObject({ replay: 'under-way' });
    working.resolve();
    await letterOnce((one) => one === undefined);
    expect(handled).toEqual([2]);
  });

  it('have no effect once discarded, even if a replay was requested', async () => {
    const letter = await aLetter();
    await stop();
    await requestReplay(owner, letter);
    expect(await discardDeadLetter(owner, letter)).toBe(true);
    expect(await discardDeadLetter(owner, letter)).toBe(false);
    await publish(4);
    start();
    await done();
    expect(await effects()).toEqual([1, 3, 4]);
    expect(await listDeadLetters(owner)).toEqual([]);
  });

  it('are either replayed or discarded, never both', async () => {
    const letter = await aLetter();
    await requestReplay(owner, letter);
    const discarded = await discardDeadLetter(owner, letter);
    await letterOnce((one) => one === undefined);
    expect(await effects()).toEqual(discarded ? [1, 3] : [1, 2, 3]);
  });

  it('do not delay later events', async () => {
    const letter = await aLetter();
    broken = (pos) => (pos === 2 ? callFailed('internal') : undefined);
    await requestReplay(owner, letter);
    await publish(4);
    await done();
    expect(await effects()).toEqual([1, 3, 4]);
  });
});
