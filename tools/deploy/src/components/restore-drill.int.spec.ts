// Lane: long (it takes half a minute).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { createPool } from '@xs2a/postgres/pool';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadMigrations } from '@xs2a/sandbox/schemas';
import { readComponent } from './component-files.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-restore-drill-'));
const checkSql = readComponent('cloudnative-pg/restore-drill/check.sql');
const schemas = ['payments', 'consents'] as const;
const stream = '01970000-0000-7000-8000-000000000001';
let postgres: PostgresServer;
/** A single connection, so that a session setting stays in effect during the check. */
let client: ReturnType<typeof createPool>;

beforeAll(async () => {
  postgres = await startPostgres({ dataDir: join(folder, 'pg'), durable: false });
  await prepareDatabases(postgres.url());
  for (const service of schemas)
    await runMigrations({ url: postgres.url('xs2a_owner'), ...(await loadMigrations(service)) });
  client = createPool({ url: postgres.url('xs2a_owner'), name: 'restore-drill-test', max: 1 });
}, 60_000);
afterAll(async () => {
  await client.end();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

const insertEvent = async (schema: string, version: number, hash: string, before: string): Promise<void> => {
  await client.query(
    `INSERT INTO ${schema}.events (stream_id, version, event_id, type, schema_version, data, meta, occurred_at, prev_hash, hash)
     VALUES ($1, $2, gen_random_uuid(), 'sample', 1, '{}', '{}', now(), $3, $4)`,
    [stream, version, before, hash],
  );
};
/** Adds a stream of two events to each schema: one event has a position, the other waits for one. */
beforeEach(async () => {
  for (const schema of schemas) {
    await client.query(`TRUNCATE ${schema}.events, ${schema}.log, ${schema}.unsequenced`);
    await insertEvent(schema, 1, 'one', '');
    await insertEvent(schema, 2, 'two', 'one');
    await client.query(`INSERT INTO ${schema}.log (pos, stream_id, version) VALUES (1, $1, 1)`, [stream]);
    await client.query(`INSERT INTO ${schema}.unsequenced (stream_id, version) VALUES ($1, 2)`, [stream]);
  }
  await client.query(`SET xs2a.within = ''`);
});

describe('the check for a restore drill', () => {
  it('accepts consistent events, of any age if no maximum age is given', async () => {
    await client.query(`UPDATE payments.events SET occurred_at = now() - interval '3 days'`);
    await client.query(checkSql);
  });

  it.each([
    ['no events', 'TRUNCATE consents.events', 'consents: there are no events'],
    ['an event that was lost', 'DELETE FROM payments.events WHERE version = 1', '1 events do not follow'],
    [
      'an event that was changed',
      `UPDATE payments.events SET hash = 'other' WHERE version = 1`,
      '1 events do not follow',
    ],
    ['an event without a position', 'TRUNCATE consents.unsequenced', '1 events are in no log'],
    [
      'a position without an event',
      `INSERT INTO payments.log (pos, stream_id, version) VALUES (2, gen_random_uuid(), 1)`,
      '1 positions of the log have no event',
    ],
  ])('fails if there is %s', async (_, damage, message) => {
    await client.query(damage);
    await expect(client.query(checkSql)).rejects.toThrow(message);
  });

  it('fails if the newest event is older than the permitted data loss', async () => {
    await client.query(`SET xs2a.within = '15 minutes'`);
    await client.query(checkSql);
    for (const schema of schemas)
      await client.query(`UPDATE ${schema}.events SET occurred_at = now() - interval '16 minutes'`);
    await expect(client.query(checkSql)).rejects.toThrow('more than 15 minutes ago');
  });
});
