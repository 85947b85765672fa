// Lane: long (it starts sandboxes as npm start does).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { exchangeCertificate } from '@xs2a/local-servers/postgres-certificate';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { type PostgresStandby, startStandby } from '@xs2a/local-servers/postgres-standby';
import { ServerAuthority } from '@xs2a/qwac/testing/server-authority';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { masterKeysIn, root } from '../layout.js';
import { makeEnvironment, type ServiceName, servicesWithTables } from './service-table.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-acknowledged-'));
const caFile = join(folder, 'ca.crt');
const authority = new ServerAuthority('test');
let postgres: PostgresServer;
let standby: PostgresStandby | undefined;
beforeAll(async () => {
  writeFileSync(join(folder, 'secret'), 'x'.repeat(40));
  writeFileSync(caFile, authority.certificate);
  nats.listen(0, '127.0.0.1');
  await once(nats, 'listening');
  postgres = await startPostgres({ dataDir: join(folder, 'pg') });
  await prepareDatabases(postgres.url());
  await exchangeCertificate(postgres, authority.issue('localhost'));
}, 60_000);
afterAll(async () => {
  nats.close();
  await postgres.stop();
  await standby?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 30_000);

/** Replaces NATS: a port that accepts connections and stays silent. A service that reaches this port would start. */
const nats = createServer((socket) => socket.on('error', () => undefined));

const encryptedUrl = (role: string): string => {
  const url = new URL(postgres.url(role));
  url.hostname = 'localhost';
  url.searchParams.set('sslmode', 'verify-full');
  url.searchParams.set('sslrootcert', caFile);
  return url.href;
};

/** Starts a service with settings for a deployment outside the sandbox. */
const launch = (service: ServiceName, env: Readonly<Record<string, string>>): ChildProcess => {
  const file = join(folder, 'secret');
  const at = {
    databaseUrl: encryptedUrl,
    natsUrl: () => `tls://nobody:secret@localhost:${(nats.address() as AddressInfo).port}`,
    healthPort: () => 0,
    secretFile: () => file,
    masterKeysFile: () => masterKeysIn(join(folder, 'master-keys')),
    hashKeysFile: () => masterKeysIn(join(folder, 'hash-keys')),
    profile: () => 'production',
    baseUrl: 'https://xs2a.bank.example',
    publicPort: 0,
    authPort: 0,
    portalPort: 0,
    keysFile: file,
    bundleKeysFile: file,
    trustAnchorsFile: file,
    logLevel: 'info',
    checkout: root,
  };
  const live = { SANDBOX: 'false', CORE_BANK: 'nats', NODE_ENV: 'production' };
  return spawn(process.execPath, [join(root, 'apps', service, 'dist/main.js')], {
    env: { PATH: process.env.PATH, ...makeEnvironment(service, at), ...live, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
};

/** Starts a service and reads its log up to the first line that is a warning or worse. */
const firstTrouble = async (
  service: ServiceName,
  env: Readonly<Record<string, string>> = {},
): Promise<{
  readonly level: string;
  readonly msg: string;
  readonly error?: { readonly code: string };
}> => {
  const child = launch(service, env);
  try {
    for await (const line of createInterface({ input: child.stdout as Readable })) {
      const said = JSON.parse(line) as Awaited<ReturnType<typeof firstTrouble>>;
      if (['warn', 'error', 'fatal'].includes(said.level)) return said;
    }
    throw new Error(`${service} ended without a word`);
  } finally {
    child.kill('SIGKILL');
  }
};

describe('a service that writes, when run outside the sandbox (docs/how-to/fail-over.md)', () => {
  it.each(servicesWithTables)(
    '%s does not start if a failover could lose acknowledged data, and reports the remedy',
    async (service) => {
      const { level, msg } = await firstTrouble(service);
      expect(level).toBe('fatal');
      expect(msg).toContain('synchronous_standby_names is empty');
      expect(msg).toContain('ACCEPT_LOSS_OF_ACKNOWLEDGED_WRITES=yes');
    },
    30_000,
  );

  it('starts with ACCEPT_LOSS_OF_ACKNOWLEDGED_WRITES=yes, and logs a warning', async () => {
    const reached = once(nats, 'connection');
    expect(await firstTrouble('payments', { ACCEPT_LOSS_OF_ACKNOWLEDGED_WRITES: 'yes' })).toMatchObject({
      level: 'warn',
      msg: expect.stringContaining('may lose what was acknowledged'),
    });
    const child = launch('payments', { ACCEPT_LOSS_OF_ACKNOWLEDGED_WRITES: 'yes' });
    await reached;
    child.kill('SIGKILL');
  }, 30_000);

  it('starts with a synchronous standby, unless synchronous_commit is local for its sessions', async () => {
    standby = await startStandby(postgres, { dataDir: join(folder, 'standby'), synchronous: true });
    const reached = once(nats, 'connection');
    const child = launch('payments', {});
    await reached;
    child.kill('SIGKILL');
    const url = new URL(encryptedUrl('xs2a_payments'));
    url.searchParams.set('options', '-c synchronous_commit=local');
    expect(await firstTrouble('payments', { DATABASE_URL: url.href })).toMatchObject({
      level: 'fatal',
      msg: expect.stringContaining('synchronous_commit is local'),
    });
  }, 60_000);
});

describe('a service that connects to PostgreSQL outside the sandbox (docs/how-to/certificates.md)', () => {
  it.each(servicesWithTables)(
    '%s does not start without encryption, and reports the required setting',
    async (service) => {
      const { level, msg } = await firstTrouble(service, { DATABASE_URL: postgres.url() });
      expect(level).toBe('fatal');
      expect(msg).toMatch(/^configuration: DATABASE_URL is not .*\?sslmode=verify-full/);
    },
    30_000,
  );

  it('waits and reports the reason while the server certificate is expired, and starts once it is valid', async () => {
    await exchangeCertificate(postgres, authority.issue('localhost', { leftMs: -1000 }));
    const env = { ACCEPT_LOSS_OF_ACKNOWLEDGED_WRITES: 'yes' };
    expect(await firstTrouble('payments', env)).toMatchObject({
      level: 'warn',
      msg: 'the database is down; the service starts once it is up',
      error: { code: 'CERT_HAS_EXPIRED' },
    });
    const reached = once(nats, 'connection');
    const child = launch('payments', env);
    await exchangeCertificate(postgres, authority.issue('localhost'));
    await reached;
    child.kill('SIGKILL');
  }, 60_000);
});
