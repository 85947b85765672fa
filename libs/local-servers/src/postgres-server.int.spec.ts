// Lane: long (it takes half a minute).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { databaseRoles, prepareDatabases } from './databases.js';
import { type PostgresServer, startPostgres } from './postgres-server.js';

const query = async (url: string, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
};

describe('the local PostgreSQL (quality, Security)', () => {
  // mkdtemp creates folders with mode 0700. If this test runs as root, PostgreSQL's user cannot enter the
  // folder unless the code under test grants access.
  const folder = mkdtempSync(join(tmpdir(), 'xs2a-pg-'));
  const dataDir = join(folder, 'data');
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ dataDir, durable: true });
    await prepareDatabases(server.url());
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is durable: fsync and synchronous_commit are on', async () => {
    const rows = await query(
      server.url(),
      `SELECT current_setting('fsync') f, current_setting('synchronous_commit') s`,
    );
    expect(rows).toEqual([{ f: 'on', s: 'on' }]);
  });

  it('refuses a wrong password', async () => {
    const url = new URL(server.url('xs2a_payments'));
    url.password = 'wrong';
    await expect(query(url.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
  });

  it.each(databaseRoles)('lets %s connect, without any privilege outside its own schema', async (role) => {
    const [row] = await query(
      server.url(role),
      `SELECT current_user AS role, rolsuper OR rolcreatedb OR rolcreaterole AS powerful FROM pg_roles WHERE rolname = current_user`,
    );
    expect(row).toEqual({ role, powerful: false });
    if (role === 'xs2a_owner') return;
    await expect(query(server.url(role), 'CREATE TABLE mine (id int)')).rejects.toThrow(/permission denied/);
    const foreign = role === 'xs2a_auth' ? 'payments' : 'auth';
    await query(server.url('xs2a_owner'), `CREATE TABLE IF NOT EXISTS ${foreign}.secrets (id int)`);
    await expect(query(server.url(role), `SELECT * FROM ${foreign}.secrets`)).rejects.toThrow(
      /permission denied/,
    );
  });

  it.each(databaseRoles)('does not let %s create, read or fill a large object', async (role) => {
    for (const statement of [
      'SELECT lo_creat(-1)',
      'SELECT lo_create(0)',
      "SELECT lo_from_bytea(0, 'x')",
      "SELECT lo_put(1, 0, 'x')",
      'SELECT lo_get(1)',
      'SELECT lo_open(1, 131072)',
      "SELECT lowrite(0, 'x')",
      'SELECT loread(0, 1)',
      'SELECT lo_unlink(1)',
    ])
      await expect(query(server.url(role), statement)).rejects.toMatchObject({ code: '42501' });
  });

  it('can be prepared more than once', async () => {
    await prepareDatabases(server.url());
    await expect(query(server.url('xs2a_auth'), 'SHOW search_path')).resolves.toEqual([
      { search_path: 'auth' },
    ]);
  });

  it('keeps all committed data when restarted after a kill', async () => {
    await query(server.url('xs2a_owner'), 'CREATE TABLE payments.kept AS SELECT 7 AS answer');
    server.kill();
    await server.exited;
    server = await startPostgres({ dataDir, port: server.port });
    await expect(query(server.url('xs2a_owner'), 'SELECT answer FROM payments.kept')).resolves.toEqual([
      { answer: 7 },
    ]);
  }, 30_000);

  it('stops an old server that outlived its runner, then starts on the same data', async () => {
    const predecessor = server;
    server = await startPostgres({ dataDir });
    await predecessor.exited;
    expect(server.pid).not.toBe(predecessor.pid);
    await expect(query(server.url(), 'SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
  }, 30_000);

  it('fails to start on a port that is in use, with an error that contains the port', async () => {
    await expect(startPostgres({ dataDir: join(folder, 'second'), port: server.port })).rejects.toThrow(
      new RegExp(`port ${server.port}`),
    );
  }, 30_000);
});
