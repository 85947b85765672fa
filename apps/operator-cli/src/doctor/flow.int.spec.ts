import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Connections } from '../connections.js';
import { type SampleLog, startSampleLog } from '../testing/sample-log.js';
import type { Outcome } from './check.js';
import { flowChecks } from './flow.js';

let log: SampleLog;
beforeAll(async () => {
  log = await startSampleLog();
}, 60_000);
afterAll(async () => log.stop());

const examine = async (name: string): Promise<Outcome | undefined> => {
  const pool = () => log.database.superuserPool('payments');
  const connections = { pool, reader: pool, nats: async () => log.nats };
  return flowChecks.find((check) => check.name === name)?.run(connections as unknown as Connections);
};

it('doctor reports that everything is published even if the database has lost the last positions', async () => {
  await log.publish(3);
  await log.database.sql('INSERT INTO payments.log_gap (after, up_to) VALUES (3, 8)');
  expect(await examine('relay payments')).toMatchObject({
    ok: true,
    text: expect.stringContaining('up to position 3'),
  });
  await log.append(1);
  expect(await examine('relay payments')).toMatchObject({
    ok: false,
    text: expect.stringContaining('not published: 1 event,'),
  });
});

it('doctor names the services whose changes cannot be read, because this delays notifications', async () => {
  await log.database.sql(`
    CREATE TABLE payments.notification (state text, next_try_at timestamptz, failures int, tpp_id text,
      created_at timestamptz, first_failed_at timestamptz, ended_at timestamptz, last_failure text, uri text);
    CREATE TABLE payments.checkpoint (source text, pos bigint);
    CREATE TABLE payments.unread_resource (source text, resource_id uuid, pos bigint, since timestamptz DEFAULT now());
    CREATE TABLE consents.log (pos bigint);
    INSERT INTO payments.checkpoint VALUES ('payments', 1000)`);
  expect(await examine('status push')).toEqual({ ok: true, text: '0 waiting, 0 dead letters' });
  await log.database.sql(`INSERT INTO payments.unread_resource VALUES ('payments', gen_random_uuid(), 7)`);
  expect(await examine('status push')).toMatchObject({
    ok: false,
    text: '0 waiting, 0 dead letters; changes of 1 resource cannot be read (payments)',
    repair: expect.stringContaining('events verify --resource payments'),
  });
});
