import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Child, startChild } from '@xs2a/local-servers/child';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { freePort } from '@xs2a/local-servers/free-port';
import type { NatsServer } from '@xs2a/local-servers/nats-server';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { startNatsWithAssets } from '@xs2a/nats/testing/nats-with-assets';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { createPool } from '@xs2a/postgres/pool';
import { checkMigrations } from '@xs2a/runtime/database/migrations-applied';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { root } from '../layout.js';
import { loadMigrations } from '../schemas.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-before-migration-'));
const logFile = join(folder, 'payments.log');
let postgres: PostgresServer;
let nats: NatsServer;
let service: Child;
let readyUrl: string;

beforeAll(async () => {
  [postgres, nats] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'pg'), durable: false }),
    startNatsWithAssets({ dataDir: join(folder, 'nats') }),
  ]);
  await prepareDatabases(postgres.url());
}, 60_000);
afterEach(async () => service?.stop('SIGTERM', 5000));
afterAll(async () => {
  await Promise.all([postgres.stop(), nats.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

const start = async (databaseUrl = postgres.url('xs2a_payments')): Promise<void> => {
  const port = await freePort();
  readyUrl = `http://127.0.0.1:${port}/health/ready`;
  service = startChild({
    command: process.execPath,
    args: [join(root, 'apps/payments/dist/main.js')],
    env: {
      NATS_URL: nats.url,
      DATABASE_URL: databaseUrl,
      MASTER_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
      PROFILE_FILE: join(root, 'deploy/profiles/sandbox.json'),
      HEALTH_PORT: String(port),
      SANDBOX: 'true',
    },
    logFile,
  });
};
const readiness = async (): Promise<{ readonly status: number; readonly text: string }> => {
  const answer = await fetch(readyUrl).catch(() => undefined);
  return { status: answer?.status ?? 0, text: (await answer?.text()) ?? '' };
};
const eventually = async (wanted: (seen: Awaited<ReturnType<typeof readiness>>) => boolean) => {
  const end = performance.now() + 20_000;
  for (;;) {
    const seen = await readiness();
    if (wanted(seen)) return seen;
    if (performance.now() > end || !service.isAlive()) return seen;
    await wait(50);
  }
};
const migrate = async (): Promise<void> => {
  await runMigrations({ url: postgres.url('xs2a_owner'), ...(await loadMigrations('payments')) });
};

describe('a service that starts before its migrations (architecture, Upgrades)', () => {
  it('waits, reports the missing migrations, and becomes ready without a restart once they have run', async () => {
    await start();
    const { migrations } = await loadMigrations('payments');
    const waits = `waits for the migration job: ${migrations.map(({ name }) => name).join(', ')}`;
    const unready = await eventually(({ text }) => text.includes('waits for'));
    expect(unready.status).toBe(503);
    expect(JSON.parse(unready.text)).toMatchObject({ checks: { migrations: waits } });
    expect(service.isAlive()).toBe(true);
    const logged = (): string => readFileSync(logFile, 'utf8');
    await eventually(() => logged().includes(waits));
    expect(logged()).toContain(waits);

    await migrate();
    expect(await eventually(({ status }) => status === 200)).toMatchObject({ status: 200 });
  }, 60_000);

  it('names only the migrations that have not run', async () => {
    await migrate();
    const { migrations } = await loadMigrations('payments');
    const pool = createPool({ url: postgres.url('xs2a_payments'), name: 'test' });
    const coming = ['Coming1800000000001', 'Coming1800000000002'];
    await expect(checkMigrations(pool, [...migrations.map(({ name }) => name), ...coming])).rejects.toThrow(
      /^waits for the migration job: Coming1800000000001, Coming1800000000002$/,
    );
    await pool.end();
  }, 60_000);

  it('is ready even if migrations of a newer release have run', async () => {
    await migrate();
    const { schema, migrations } = await loadMigrations('payments');
    class OfANewerRelease1700000000099 {
      async up(): Promise<void> {
        // Empty: the test only needs a record that this migration ran.
      }
      async down(): Promise<void> {
        // Nothing to revert.
      }
    }
    await runMigrations({
      url: postgres.url('xs2a_owner'),
      schema,
      migrations: [...migrations, OfANewerRelease1700000000099],
    });
    await start();
    expect(await eventually(({ status }) => status === 200)).toMatchObject({ status: 200 });
  }, 60_000);

  it('exits on SIGTERM while it waits', async () => {
    const withoutTables = new URL(postgres.url('xs2a_payments'));
    withoutTables.searchParams.set('options', '-c search_path=nowhere');
    await start(withoutTables.href);
    await eventually(({ text }) => text.includes('waits for'));
    service.kill('SIGTERM');
    await service.exited;
    expect(service.isAlive()).toBe(false);
  }, 60_000);
});
