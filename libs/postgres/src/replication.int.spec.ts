import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { type PostgresStandby, startStandby } from '@xs2a/local-servers/postgres-standby';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { isUnavailable } from './errors.js';
import { createPool } from './pool.js';
import { inTransaction } from './transaction.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-replication-'));
let server: PostgresServer;
let standby: PostgresStandby;
let pool: Pool;
beforeAll(async () => {
  server = await startPostgres({ dataDir: join(folder, 'pg') });
  standby = await startStandby(server, { dataDir: join(folder, 'standby'), synchronous: true });
  pool = createPool({ url: server.url(), name: 'replication-test', max: 4 });
  await pool.query('CREATE TABLE kept (id int)');
}, 60_000);
afterAll(async () => {
  await pool.end();
  await server.stop();
  await standby.stop();
  rmSync(folder, { recursive: true, force: true });
}, 30_000);

const acknowledged = async (write: Promise<unknown>): Promise<unknown> =>
  write.then(
    () => 'acknowledged',
    (error: unknown) => isUnavailable(error),
  );

describe('a write while the synchronous standby is down (docs/how-to/fail-over.md)', () => {
  it('is not acknowledged even when a timeout ends the wait, so its outcome remains unknown', async () => {
    standby.cutOff();
    const inOne = inTransaction(pool, async (client) => client.query('INSERT INTO kept VALUES (2)'));
    const outcomes = [pool.query('INSERT INTO kept VALUES (1)'), inOne].map(acknowledged);
    expect(await Promise.all(outcomes)).toEqual([true, true]);
    standby.reconnect();
    while ((await pool.query('SELECT count(*) FROM kept')).rows[0].count !== 2) await pool.query('SELECT');
    expect(await acknowledged(pool.query('INSERT INTO kept VALUES (3)'))).toBe('acknowledged');
  }, 30_000);
});
