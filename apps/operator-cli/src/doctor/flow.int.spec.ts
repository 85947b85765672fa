import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import { Relay } from '@xs2a/event-store/publishing/relay';
import { allPublished } from '@xs2a/event-store/testing/all-published';
import {
  counted,
  type SampleDatabase,
  silent,
  startSampleDatabase,
} from '@xs2a/event-store/testing/sample-stream';
import type { NatsServer } from '@xs2a/local-servers/nats-server';
import { connectOnce } from '@xs2a/nats/connection';
import { startNatsWithAssets } from '@xs2a/nats/testing/nats-with-assets';
import { newId } from '@xs2a/runtime/ids';
import { join } from 'node:path';
import type { Connections } from '../connections.js';
import type { Outcome } from './check.js';
import { flowChecks } from './flow.js';

let database: SampleDatabase;
let nats: NatsServer;
let connection: NatsConnection;
beforeAll(async () => {
  database = await startSampleDatabase();
  nats = await startNatsWithAssets({ dataDir: join(database.folder, 'nats') });
  connection = await connectOnce(nats.url, 'test');
}, 60_000);
afterAll(async () => {
  await connection.close();
  await nats.stop();
  await database.stop();
});

const examine = async (name: string): Promise<Outcome | undefined> => {
  const connections = { pool: () => database.superuserPool('payments'), nats: async () => connection };
  return flowChecks.find((check) => check.name === name)?.run(connections as unknown as Connections);
};

it('doctor knows that all is published when the last positions were lost by the database', async () => {
  const pool = database.pool();
  const store = database.store(pool);
  const relay = new Relay({ pool, store, natsUrl: nats.url, logger: silent });
  relay.start();
  for (let index = 0; index < 3; index += 1)
    await store.append({ streamId: newId(), events: [counted(1)], actor: 'tester' });
  await allPublished(pool, nats.url);
  await relay.stop();
  await database.sql('INSERT INTO payments.log_gap (after, up_to) VALUES (3, 8)');
  expect(await examine('relay payments')).toMatchObject({
    ok: true,
    text: expect.stringContaining('up to position 3'),
  });
  await store.append({ streamId: newId(), events: [counted(1)], actor: 'tester' });
  expect(await examine('relay payments')).toMatchObject({
    ok: false,
    text: expect.stringContaining('not published: 1 event,'),
  });
});

it('doctor names the services of which changes cannot be read, so that notifications wait', async () => {
  await database.sql(`
    CREATE TABLE payments.notification (state text, next_try_at timestamptz, failures int, tpp_id text);
    CREATE TABLE payments.checkpoint (source text, pos bigint);
    CREATE TABLE payments.unread_resource (source text, resource_id uuid, pos bigint);
    CREATE TABLE consents.log (pos bigint);
    INSERT INTO payments.checkpoint VALUES ('payments', 1000)`);
  expect(await examine('notifications')).toEqual({ ok: true, text: '0 waiting, 0 dead letters' });
  await database.sql(`INSERT INTO payments.unread_resource VALUES ('payments', gen_random_uuid(), 7)`);
  expect(await examine('notifications')).toMatchObject({
    ok: false,
    text: '0 waiting, 0 dead letters; changes that cannot be read: of 1 resource (payments)',
    mend: expect.stringContaining('events verify --resource payments'),
  });
});
