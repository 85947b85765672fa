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
