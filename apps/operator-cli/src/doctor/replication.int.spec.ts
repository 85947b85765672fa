import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { type PostgresStandby, startStandby } from '@xs2a/local-servers/postgres-standby';
import { createPool } from '@xs2a/postgres/pool';
import { lossAccepted } from '@xs2a/postgres/replication';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { Connections } from '../connections.js';
import type { Outcome } from './check.js';
import { replicationCheck } from './replication.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-doctor-'));
let postgres: PostgresServer;
let standby: PostgresStandby | undefined;
const pools: Pool[] = [];
const open = (role: string, name: string): Pool => {
  const pool = createPool({ url: postgres.url(role), name, max: 1 });
  pools.push(pool);
  return pool;
};
let owner: Pool;
let superuser: Pool;
beforeAll(async () => {
  postgres = await startPostgres({ dataDir: join(folder, 'pg') });
  await prepareDatabases(postgres.url());
  owner = open('xs2a_owner', 'xs2a-cli');
  superuser = open('postgres', 'test');
}, 60_000);
afterAll(async () => {
  await Promise.all(pools.map(async (pool) => pool.end()));
  await postgres.stop();
  await standby?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 30_000);

const examine = async (hasSandboxRules = false): Promise<Outcome> =>
  replicationCheck.run({ pool: () => owner, hasSandboxRules } as unknown as Connections);
const set = async (text: string): Promise<void> => {
  await superuser.query(text);
  await superuser.query('SELECT pg_reload_conf()');
};

it('doctor shows whether acknowledged writes would survive a failover, and the standbys with their lag (docs/how-to/fail-over.md)', async () => {
  expect(await examine()).toMatchObject({
    ok: false,
    text: expect.stringMatching(/^asynchronous: no standby is connected; synchronous_standby_names is empty/),
    repair: expect.stringContaining('docs/how-to/fail-over.md'),
  });
  expect(await examine(true)).toEqual({ ok: true, text: 'none; a sandbox needs no standby' });

  standby = await startStandby(postgres, { dataDir: join(folder, 'standby'), synchronous: true });
  await superuser.query('CREATE TABLE kept (id int)');
  expect(await examine()).toMatchObject({
    ok: true,
    text: expect.stringMatching(/^synchronous: standby \(sync, streaming, \d+ bytes(, \S+ \S+)? behind\)$/),
  });

  standby.cutOff();
  for (let outcome = await examine(); outcome.ok; outcome = await examine());
  expect(await examine()).toMatchObject({
    ok: false,
    text: expect.stringMatching(/^writes wait for a synchronous standby: no standby is connected$/),
  });
  standby.reconnect();
  for (let outcome = await examine(); !outcome.ok; outcome = await examine());

  // Simulates that somebody clears the setting while the services are running.
  await set("ALTER SYSTEM SET synchronous_standby_names = ''");
  // The server may report the changed standby shortly before this session reads the changed setting.
  let emptied = await examine();
  while (!emptied.text.startsWith('asynchronous')) emptied = await examine();
  expect(emptied.text).toMatch(/^asynchronous: standby \(.*services would not restart with this setting$/);
  await open('xs2a_payments', `xs2a-payments ${lossAccepted}`).query('SELECT 1');
  expect(await examine()).toMatchObject({
    ok: true,
    text: expect.stringContaining('ACCEPT_LOSS_OF_ACKNOWLEDGED_WRITES=yes in 1 session'),
    repair: expect.any(String),
  });
}, 60_000);
