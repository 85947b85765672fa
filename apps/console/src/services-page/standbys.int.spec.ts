import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { type PostgresStandby, startStandby } from '@xs2a/local-servers/postgres-standby';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { createPool } from '@xs2a/postgres/pool';
import { missingStandbys } from '@xs2a/doctor/standbys';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { migrations, schema } from '../migrations/index.js';
import { StandbyReader } from './standbys.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-standbys-'));
let postgres: PostgresServer;
let standby: PostgresStandby | undefined;
let pool: Pool;
beforeAll(async () => {
  postgres = await startPostgres({ dataDir: join(folder, 'pg') });
  await prepareDatabases(postgres.url());
  await runMigrations({ url: postgres.url('xs2a_owner'), schema, migrations });
  pool = createPool({ url: postgres.url('xs2a_console'), name: 'test', max: 2 });
}, 60_000);
afterAll(async () => {
  await pool.end();
  await postgres.stop();
  await standby?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 30_000);

it('reads the connected standbys with the database role of the console, and reports a stopped standby as missing', async () => {
  const reader = new StandbyReader(pool);
  expect(await reader.read()).toEqual({ standbyNames: '', commit: 'on', standbys: [] });
  standby = await startStandby(postgres, { dataDir: join(folder, 'standby'), synchronous: true });
  const { standbyNames, standbys } = await reader.read();
  expect(standbys).toEqual([
    expect.objectContaining({ name: 'standby', state: 'streaming', syncState: 'sync' }),
  ]);
  expect(standbys[0]?.behindBytes).toBeGreaterThanOrEqual(0);
  expect(missingStandbys(standbyNames, standbys)).toEqual([]);
  await standby.stop();
  standby = undefined;
  const { standbys: left } = await reader.read();
  expect(missingStandbys(standbyNames, left)).toHaveLength(1);
});

it('leaves the database role of the console without pg_read_all_stats, so other statistics stay hidden', async () => {
  const { rows } = await pool.query<{ reads: boolean }>(
    "SELECT pg_has_role('pg_read_all_stats', 'USAGE') AS reads",
  );
  expect(rows).toEqual([{ reads: false }]);
});
