import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { freePort } from '@xs2a/local-servers/free-port';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { createLogger } from '@xs2a/observability/logger';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BucketFollower } from './bucket-follower.js';
import { connectStreams } from './connection.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-buckets-'));
const logger = createLogger('test', 'silent');
let server: NatsServer;
let nats: NatsConnection;
let followers: BucketFollower[] = [];

beforeAll(async () => {
  const port = await freePort();
  server = await startNats({ dataDir: join(folder, 'nats'), port });
  nats = await connectStreams(server.url, 'test', logger);
});
afterEach(() => {
  for (const follower of followers) follower.stop();
  followers = [];
});
afterAll(async () => {
  await nats.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The values that a follower has received, and the number of its full reads. */
class Knowledge {
  entries = new Map<string, string>();
  readings = 0;
  private check: () => void = () => undefined;

  constructor(bucket: string) {
    const follower = new BucketFollower({
      nats,
      bucket,
      logger,
      onAll: (entries) => {
        this.entries = new Map(entries);
        this.readings += 1;
        this.check();
      },
      onChange: (key, value) => {
        if (value === undefined) this.entries.delete(key);
        else this.entries.set(key, value);
        this.check();
      },
    });
    followers.push(follower);
    follower.start();
  }

  /** Resolves once the values are as expected. */
  async becomes(isWanted: (entries: ReadonlyMap<string, string>) => boolean): Promise<void> {
    await new Promise<void>((resolve) => {
      this.check = () => {
        if (this.readings > 0 && isWanted(this.entries)) resolve();
      };
      this.check();
    });
  }
}

const newBucket = async (name: string): Promise<KV> => new Kvm(nats).create(name);

describe('a follower of a key-value bucket (architecture, The edge)', () => {
  it('reads all existing values, and receives each change and removal immediately rather than at the next poll', async () => {
    const bucket = await newBucket('CHANGES');
    await Promise.all(Array.from({ length: 250 }, async (_, at) => bucket.put(`key.${at}`, `${at}`)));
    await bucket.purge('key.7');
    const knowledge = new Knowledge('CHANGES');
    await knowledge.becomes((entries) => entries.size === 249 && entries.get('key.249') === '249');
    await bucket.put('key.7', 'again');
    await knowledge.becomes((entries) => entries.get('key.7') === 'again');
    await bucket.delete('key.7');
    await bucket.purge('key.8');
    await knowledge.becomes((entries) => entries.size === 248);
    expect(knowledge.readings).toBe(1);
    // A follower that has just read everything polls again after one second. Polling alone would therefore
    // take five seconds for five changes.
    const begun = performance.now();
    for (let change = 0; change < 5; change += 1) {
      const fresh = new Knowledge('CHANGES');
      await fresh.becomes((entries) => entries.size > 0);
      await bucket.put('key.9', `new ${change}`);
      await fresh.becomes((entries) => entries.get('key.9') === `new ${change}`);
    }
    expect(performance.now() - begun).toBeLessThan(3000);
  });

  it('waits for a missing bucket and is loaded once it exists, even if empty', async () => {
    const knowledge = new Knowledge('FIRST');
    const bucket = await newBucket('FIRST');
    await knowledge.becomes((entries) => entries.size === 0);
    await bucket.put('a', '1');
    await knowledge.becomes((entries) => entries.get('a') === '1');
  });

  it('drops values that no longer exist when the bucket is recreated, even if the new bucket has more entries', async () => {
    const bucket = await newBucket('ANEW');
    await bucket.put('old', '1');
    const knowledge = new Knowledge('ANEW');
    await knowledge.becomes((entries) => entries.has('old'));
    await bucket.destroy();
    const again = await newBucket('ANEW');
    for (const key of ['a', 'b', 'c']) await again.put(key, '2');
    await knowledge.becomes((entries) => [...entries.keys()].join('') === 'abc');
  });

  it('continues after a value that makes its listener fail', async () => {
    const bucket = await newBucket('FAILING');
    const seen: string[] = [];
    const last = Promise.withResolvers<void>();
    const listen = (kind: string, value: string | undefined): void => {
      seen.push(`${kind} ${value}`);
      if (value === 'not json') throw new Error('not understood');
      if (kind === 'changed' && value === '2') last.resolve();
    };
    const loaded = Promise.withResolvers<void>();
    const follower = new BucketFollower({
      nats,
      bucket: 'FAILING',
      logger,
      onAll: () => loaded.resolve(),
      onSaid: (_key, value) => listen('said', value),
      onChange: (_key, value) => listen('changed', value),
    });
    followers.push(follower);
    follower.start();
    await loaded.promise;
    await bucket.put('a', 'not json');
    await bucket.put('b', '2');
    await last.promise;
    expect(seen.filter((one) => one.startsWith('changed'))).toEqual(['changed not json', 'changed 2']);
  });

  it('receives values before the writer knows that they are stored, but removals only afterwards', async () => {
    const bucket = await newBucket('SAID');
    const said: string[] = [];
    const follower = new BucketFollower({
      nats,
      bucket: 'SAID',
      logger,
      onAll: () => undefined,
      onSaid: (key, value) => said.push(`${key}=${value}`),
      onChange: () => undefined,
    });
    followers.push(follower);
    follower.start();
    await nats.flush();
    await bucket.put('a', '1');
    await bucket.purge('a');
    await bucket.put('b', '2');
    expect(said).toEqual(['a=1', 'b=2']);
  });

  it('can read a key that it has not received yet', async () => {
    const bucket = await newBucket('KEYS');
    await bucket.put('a', '1');
    await bucket.put('b', '1');
    await bucket.purge('b');
    const follower = new BucketFollower({
      nats,
      bucket: 'KEYS',
      logger,
      onAll: () => undefined,
      onChange: () => undefined,
    });
    expect(await Promise.all(['a', 'b', 'c'].map(async (key) => follower.readKey(key)))).toEqual([
      '1',
      undefined,
      undefined,
    ]);
  });
});

describe('a server killed while followers start (architecture, The edge)', () => {
  /** Starts a few followers in each phase: before the server is killed, while it is down, and after it is back. */
  const round = async (bucket: KV, number: number): Promise<number> => {
    const { port } = server;
    const begun: Knowledge[] = [];
    const begin = (): void => {
      begun.push(new Knowledge('KILLED'));
    };
    for (let at = 0; at < 10; at += 1) {
      begin();
      await new Promise(setImmediate);
    }
    server.kill();
    for (let at = 0; at < 10; at += 1) begin();
    await server.exited;
    server = await startNats({ dataDir: join(folder, 'nats'), port });
    for (let at = 0; at < 10; at += 1) begin();
    await written(bucket, `${number}`);
    await Promise.all(
      begun.map(async (knowledge) => knowledge.becomes((entries) => entries.get('n') === `${number}`)),
    );
    return begun.length;
  };
  const written = async (bucket: KV, value: string): Promise<void> => {
    for (;;) {
      try {
        await bucket.put('n', value, { timeout: 500 });
        return;
      } catch {
        await nats.flush();
      }
    }
  };

  it('makes no follower miss later writes', async () => {
    const bucket = await newBucket('KILLED');
    let setUps = 0;
    let slowestMs = 0;
    for (let number = 1; number <= Number(process.env['ROUNDS'] ?? 5); number += 1) {
      const begun = performance.now();
      setUps += await round(bucket, number);
      slowestMs = Math.max(slowestMs, performance.now() - begun);
      for (const follower of followers) follower.stop();
      followers = [];
    }
    process.stderr.write(`counts: ${setUps} set-ups, 0 silent; slowest round ${Math.round(slowestMs)} ms\n`);
    expect(slowestMs).toBeLessThan(10_000);
  }, 300_000);
});
