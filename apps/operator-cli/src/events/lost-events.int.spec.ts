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
import { describeLost, lostEvents } from './lost-events.js';

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

/** Appends events, and publishes all by a relay that is gone afterwards. */
const publish = async (count: number): Promise<number> => {
  const pool = database.pool();
  const store = database.store(pool);
  const relay = new Relay({ pool, store, natsUrl: nats.url, logger: silent });
  relay.start();
  for (let index = 0; index < count; index += 1)
    await store.append({ streamId: newId(), events: [counted(1)], actor: 'tester' });
  const pos = await allPublished(pool, nats.url);
  await relay.stop();
  return pos;
};

it('what the database lost is counted by type, but not an event that got another position', async () => {
  await publish(10);
  await database.sql(`BEGIN;
    DELETE FROM payments.events WHERE (stream_id, version) IN (SELECT stream_id, version FROM payments.log WHERE pos IN (7, 8));
    WITH gone AS (DELETE FROM payments.log WHERE pos > 6 RETURNING stream_id, version)
    INSERT INTO payments.unsequenced (stream_id, version)
    SELECT stream_id, version FROM gone JOIN payments.events USING (stream_id, version);
    COMMIT`);
  expect(await publish(1)).toBe(13);
  const lost = await lostEvents(
    database.superuserPool('payments'),
    { nats: connection, resource: 'payments' },
    7,
  );
  expect(lost.map(describeLost)).toEqual([
    expect.stringMatching(
      /^positions 7 to 10 were lost by the database, found 20\S+Z; the stream holds 2 counted$/,
    ),
  ]);
  await database.sql("UPDATE payments.log_gap SET found_at = now() - interval '8 days'");
  expect(
    await lostEvents(database.superuserPool('payments'), { nats: connection, resource: 'payments' }, 7),
  ).toEqual([]);
}, 30_000);
