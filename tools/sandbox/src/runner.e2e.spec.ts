// Lane: long, first (it starts sandboxes as npm start does).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { freePort, isPortFree } from '@xs2a/local-servers/free-port';
import { startPostgres } from '@xs2a/local-servers/postgres-server';
import { createPool } from '@xs2a/postgres/pool';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseJson, send } from '@xs2a/tpp-client/http';
import { makeLayout, readJson } from './layout.js';
import { type RunningSandbox, runningSandbox } from './running-sandbox.js';
import { startSandbox } from './sandbox.js';
import { listRunning, Runner } from './testing/runner.js';
import { TppClient } from '@xs2a/tpp-client/tpp-client';

describe('npm start', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'xs2a-runner-'));
  const readPids = (): readonly number[] => readJson<RunningSandbox>(makeLayout(dataDir).running)?.pids ?? [];
  let port: string;
  let runner: Runner;
  /** Registered before the first restart, to check that data is kept. */
  let newcomer: TppClient;
  const applicationGrant = { grant_type: 'client_credentials', scope: 'PSP_PI' };
  beforeAll(async () => {
    port = String(await freePort());
    runner = new Runner(dataDir, '--port', port);
    await runner.ready();
    const registered = await send('POST', `http://127.0.0.1:${port}/sandbox/tpps`, {
      json: {
        name: 'Newcomer',
        redirectUris: ['http://127.0.0.1:8099/callback'],
        roles: ['PSP_AI', 'PSP_PI'],
      },
    });
    const { clientId, clientSecret } = parseJson<{ clientId: string; clientSecret: string }>(registered);
    newcomer = new TppClient(`http://127.0.0.1:${port}`, { clientId, clientSecret, redirectUri: '' });
  }, 120_000);
  afterAll(async () => {
    runner.kill('SIGTERM');
    await runner.exited;
    rmSync(dataDir, { recursive: true, force: true });
  }, 30_000);

  it('ends its output with a table of all addresses', async () => {
    for (const said of [
      `http://127.0.0.1:${port}`,
      '/openapi.json',
      'sandbox-tpp-secret',
      'ivan',
      'demo TPP',
      '123456',
      'npm run demo',
      'Ctrl-C',
    ]) {
      expect(runner.output).toContain(said);
    }
    expect((await send('GET', `http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
  });

  it('hides secrets and the operator’s address from other users of the machine', () => {
    expect(readFileSync(makeLayout(dataDir).running, 'utf8')).toContain('nats://operator:');
    expect(runner.output).not.toContain('postgres://');
  });

  it('keeps the headers and bodies of calls for their TPP', async () => {
    const token = await newcomer.applicationToken('PSP_AI');
    const headers = { 'x-request-id': '5f0ac1d2-6f6e-4b8e-9a44-6a2c6b0f1a77' };
    await newcomer.call('GET', '/v1/consents', token, { headers });
    let read = await newcomer.call('GET', `/sandbox/requests/${headers['x-request-id']}`, token);
    for (let tries = 0; tries < 200 && read.status !== 200; tries += 1)
      read = await newcomer.call('GET', `/sandbox/requests/${headers['x-request-id']}`, token);
    expect(parseJson(read)).toMatchObject({
      requests: [{ request: { method: 'GET', url: '/v1/consents' } }],
    });
  });

  it('refuses to start a second sandbox on the same data, with a one-line message', async () => {
    const second = new Runner(dataDir, '--port', String(await freePort()));
    expect(await second.exited).toBe(1);
    expect(second.output.trim().split('\n').at(-1)).toMatch(
      /^A sandbox already runs on .* Stop it first: kill \d+$/,
    );
  });

  it('names a port that is in use and the command that fixes this, and leaves nothing running', async () => {
    const taken = createServer();
    await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
    const address = taken.address();
    const takenPort = typeof address === 'object' && address !== null ? address.port : 0;
    const elsewhere = mkdtempSync(join(tmpdir(), 'xs2a-taken-'));
    const second = new Runner(elsewhere, '--port', String(takenPort));
    expect(await second.exited).toBe(1);
    expect(second.output.trim()).toBe(
      `Port ${takenPort} is taken. Run: npm start -- --port ${takenPort + 1}`,
    );
    taken.close();
    rmSync(elsewhere, { recursive: true, force: true });
  });

  it('refuses data from an older version with a one-line message that names the option to delete the data', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'xs2a-older-'));
    const layout = makeLayout(elsewhere);
    const postgres = await startPostgres({ dataDir: layout.postgres, durable: false });
    await prepareDatabases(postgres.url());
    const owner = createPool({ url: postgres.url('xs2a_owner'), name: 'older-version' });
    // The copy of PostgreSQL that a test run starts with already has the tables and the file that records
    // their migrations.
    rmSync(layout.migrated, { force: true });
    await owner.query(`DROP TABLE IF EXISTS payments.migration;
      CREATE TABLE payments.migration (id serial PRIMARY KEY, "timestamp" bigint NOT NULL, name text NOT NULL);
      INSERT INTO payments.migration ("timestamp", name) VALUES (1700000000001, 'Payments1700000000001')`);
    await owner.end();
    await postgres.stop();
    const second = new Runner(elsewhere, '--port', String(await freePort()));
    expect(await second.exited).toBe(1);
    expect(second.output.trim().split('\n')).toEqual([
      '… starting PostgreSQL and nats-server',
      'The sandbox has data of an older version, which this version cannot upgrade; npm start -- --reset deletes it and starts again.',
    ]);
    rmSync(elsewhere, { recursive: true, force: true });
  }, 60_000);

  it('refuses a profile in another currency than its data, with a one-line message', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'xs2a-in-leva-'));
    writeFileSync(makeLayout(elsewhere).profile, 'sandbox');
    const second = new Runner(elsewhere, '--port', String(await freePort()), '--profile', 'bg-euro');
    expect(await second.exited).toBe(1);
    expect(second.output.trim()).toMatch(
      /^.* has the data of a bank in BGN \(profile sandbox\)\. Run: .*--reset/,
    );
    rmSync(elsewhere, { recursive: true, force: true });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
    'leaves no child process running after %s, and starts again with its data',
    async (signal) => {
      const pids = readPids();
      expect(pids).toHaveLength(14);
      runner.kill(signal);
      await runner.exited;
      expect(await listRunning(pids)).toEqual([]);
      runner = new Runner(dataDir, '--port', port);
      await runner.ready();
      expect((await newcomer.tokenRequest(applicationGrant)).status).toBe(200);
      expect(runner.output).not.toContain('migrations');
    },
    60_000,
  );

  it('reports in one line why a service does not start, and stops everything that had been started', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'xs2a-failing-'));
    await expect(
      startSandbox({ dataDir: elsewhere, env: { payments: { DATABASE_POOL: 'many' } } }),
    ).rejects.toThrow(/^payments did not start: configuration: DATABASE_POOL is not a whole number/);
    const ports = readJson<{ postgres: number; nats: { client: number }[] }>(makeLayout(elsewhere).ports);
    const taken = [ports?.postgres ?? 0, ...(ports?.nats ?? []).map(({ client }) => client)];
    expect(await Promise.all(taken.map(isPortFree))).toEqual([true, true]);
    expect(runningSandbox(elsewhere)).toBeUndefined();
    rmSync(elsewhere, { recursive: true, force: true });
  }, 60_000);
});
