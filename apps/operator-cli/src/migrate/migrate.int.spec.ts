import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { root } from '@xs2a/runtime/release';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { ended, parseValues, type Ran } from '../testing/command-process.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-migrate-'));
let postgres: PostgresServer;
let nats: NatsServer;
const migrate = async (env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  ended(
    spawn(process.execPath, [join(root, 'apps/operator-cli/dist/main.js'), 'migrate', '--json'], {
      env: { DATABASE_URL: postgres.url('xs2a_owner'), NATS_URL: nats.url, SANDBOX: 'true', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
interface Migrated {
  readonly ran: Readonly<Record<string, readonly string[]>>;
  readonly changed: readonly string[];
  readonly refused: readonly string[];
}
const schemas = ['accounts', 'consents', 'payments', 'settlement', 'notifications', 'console', 'auth'];

beforeAll(async () => {
  postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false });
  await prepareDatabases(postgres.url('postgres'));
  nats = await startNats({ dataDir: join(folder, 'nats') });
}, 60_000);
afterAll(async () => {
  await nats?.stop();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the xs2a migrate command', () => {
  it('creates all tables, streams, consumers and buckets of an empty deployment in one run', async () => {
    const ran = await migrate({ PAYMENTS_STREAM_MAX_MB: '5', CONSENTS_STREAM_MAX_MB: '4' });
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    const [migrated] = parseValues<Migrated>(ran);
    expect(Object.keys(migrated?.ran ?? {})).toEqual(schemas);
    // Two services have migrations with the same name, which a bundle must keep separate.
    for (const names of Object.values(migrated?.ran ?? {}))
      expect(names.filter((name) => /^[A-Za-z]+\d{13}$/.test(name))).toHaveLength(Math.max(names.length, 1));
    expect(migrated?.refused).toEqual([]);
    const connection = await connect({ servers: nats.url });
    const { streams } = await jetstreamManager(connection);
    const names = await streams.names().next();
    const { config } = await streams.info('PAYMENTS');
    await connection.close();
    expect(names).toEqual(expect.arrayContaining(['PAYMENTS', 'CONSENTS', 'INBOX']));
    expect(config.max_bytes).toBe(5_000_000);
  }, 60_000);

  it('changes nothing when it runs again', async () => {
    const [migrated] = parseValues<Migrated>(await migrate());
    expect(migrated).toEqual({
      ran: Object.fromEntries(schemas.map((name) => [name, []])),
      changed: [],
      refused: [],
    });
  }, 60_000);

  it('runs only pending migrations, in this test those of a schema that was emptied', async () => {
    const owner = new Client({ connectionString: postgres.url('xs2a_owner') });
    await owner.connect();
    const { rows } = await owner.query<{ name: string }>(
      'DELETE FROM notifications.migration RETURNING name',
    );
    await owner.query(`DO $$ DECLARE one text; BEGIN
      FOR one IN SELECT tablename FROM pg_tables WHERE schemaname = 'notifications' AND tablename <> 'migration' LOOP
        EXECUTE format('DROP TABLE notifications.%I CASCADE', one);
      END LOOP; END $$`);
    await owner.end();
    const [migrated] = parseValues<Migrated>(await migrate());
    expect(migrated?.ran).toEqual({
      ...Object.fromEntries(schemas.map((name) => [name, []])),
      notifications: rows.map(({ name }) => name),
    });
  }, 60_000);

  it('exits with 1 if a server is down', async () => {
    const away = await migrate({ NATS_URL: 'nats://operator:geheim@127.0.0.1:1' });
    expect([away.code, away.stdout]).toEqual([1, '']);
    expect(away.stderr).toContain('NATS cannot be reached');
    expect(away.stderr).not.toContain('geheim');
  }, 60_000);
});
