import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { inboxStream } from '@xs2a/contracts/portal/inbox';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { connectStreams } from '@xs2a/nats/connection';
import { makeAssetsAt } from '@xs2a/nats/jetstream-assets';
import { natsConfiguration } from '@xs2a/nats/permissions/server-configuration';
import { createLogger } from '@xs2a/observability/logger';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InboxEntries, type InboxEntry, storedName } from './inbox-entries.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-inbox-'));
const logger = createLogger('test', 'silent');
let server: NatsServer;
let instances: readonly [NatsConnection, NatsConnection];
let operator: NatsConnection;
const urlOf = (user: string): string => `nats://${user}:password-of-${user}@127.0.0.1:${server.port}`;
const connectAs = async (user: string): Promise<NatsConnection> => connectStreams(urlOf(user), user, logger);
beforeAll(async () => {
  const accounts = natsConfiguration((user) => JSON.stringify(`password-of-${user}`));
  server = await startNats({ dataDir: folder, accounts });
  await makeAssetsAt(urlOf('migration'), {}, { inboxes: true });
  instances = [await connectAs('portal'), await connectAs('portal')];
  operator = await connectAs('operator');
}, 30_000);
afterAll(async () => {
  for (const connection of [...instances, operator]) await connection.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const entry = (text: string): InboxEntry => ({
  time: '2026-11-28T10:00:00.000Z',
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(text).toString('base64url'),
  answer: 'HTTP 204',
});
const textsOf = (entries: readonly InboxEntry[]): readonly string[] =>
  entries.map(({ body }) => Buffer.from(body, 'base64url').toString());

describe('the entries of inboxes (contract 13)', () => {
  it('are shown by each instance of the portal, newest first, only in the inbox that received them', async () => {
    const [one, other] = instances.map((nats) => new InboxEntries(nats));
    const [id, anotherId] = [randomUUID(), randomUUID()];
    await one?.add(id, entry('first'));
    await other?.add(anotherId, entry('of another'));
    await other?.add(id, entry('second'));
    for (const instance of [one, other]) {
      expect(textsOf((await instance?.list(id)) ?? [])).toEqual(['second', 'first']);
      expect(await instance?.list(anotherId)).toEqual([entry('of another')]);
      expect(await instance?.list(randomUUID())).toEqual([]);
    }
  });

  it('are the newest hundred of each inbox, for a day, within a bounded size', async () => {
    const entries = new InboxEntries(instances[0]);
    const id = randomUUID();
    for (let count = 1; count <= 103; count += 1) await entries.add(id, entry(`${count}`));
    const texts = textsOf(await entries.list(id));
    expect([texts.length, texts[0], texts.at(-1)]).toEqual([100, '103', '4']);
    const { config } = await (await jetstreamManager(operator)).streams.info(inboxStream.name);
    expect(config).toMatchObject({
      storage: 'file',
      discard: 'old',
      max_msgs_per_subject: 100,
      max_age: 24 * 3600 * 1_000_000_000,
      max_bytes: 64 * 1024 * 1024,
    });
  });

  it('are stored under a hash of the inbox’s id', async () => {
    const id = randomUUID();
    await new InboxEntries(instances[0]).add(id, entry('x'));
    const { streams } = await jetstreamManager(operator);
    const { subjects } = (await streams.info(inboxStream.name, { subjects_filter: '>' })).state;
    expect(Object.keys(subjects ?? {})).toContain(`inbox.${storedName(id)}`);
    expect(JSON.stringify(subjects)).not.toContain(id);
  });
});

describe('the stream of the inboxes', () => {
  it('is made only where there are inboxes, and making it again changes nothing', async () => {
    const other = await startNats({ dataDir: join(folder, 'other') });
    expect((await makeAssetsAt(other.url)).changed.join()).not.toContain('INBOX');
    expect((await makeAssetsAt(other.url, {}, { inboxes: true })).changed).toEqual([
      'bucket INBOX_FAILURES made',
      'stream INBOX made',
    ]);
    expect(await makeAssetsAt(other.url, {}, { inboxes: true })).toEqual({ changed: [], refused: [] });
    await other.stop();
  });

  it('is refused without space for it, and everything else is made', async () => {
    const small = await startNats({ dataDir: join(folder, 'small'), maxFileStore: '8MB' });
    const { changed, refused } = await makeAssetsAt(small.url, {}, { inboxes: true });
    expect(refused).toEqual([`stream INBOX bounded to ${inboxStream.maxBytes} bytes`]);
    expect(changed).toContain('stream PAYMENTS made');
    await small.stop();
  });
});
