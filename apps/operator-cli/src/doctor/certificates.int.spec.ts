import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { exchangeCertificate } from '@xs2a/local-servers/postgres-certificate';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import type { Issued } from '@xs2a/qwac/issue-certificate';
import { ServerAuthority } from '@xs2a/qwac/testing/server-authority';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connections } from '../connections.js';
import { certificatesCheck } from './certificates.js';

const dayMs = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), 'xs2a-doctor-certificates-'));
const authority = new ServerAuthority('test');
/** Issues a certificate that is valid for this number of days plus half a day. */
const lasting = (days: number): Issued => authority.issue('localhost', { leftMs: (days + 0.5) * dayMs });
const dayIn = (days: number): string =>
  new Date(Date.now() + (days + 0.5) * dayMs).toISOString().slice(0, 10);
let postgres: PostgresServer;
let nats: NatsServer;
let gateway: Server;
let natsHost: string;

beforeAll(async () => {
  postgres = await startPostgres({ dataDir: join(folder, 'pg'), durable: false });
  const [certFile, keyFile] = [join(folder, 'nats.crt'), join(folder, 'nats.key')];
  const issued = lasting(90);
  writeFileSync(certFile, issued.certificate);
  writeFileSync(keyFile, issued.privateKey);
  nats = await startNats({ dataDir: join(folder, 'nats'), tls: { certFile, keyFile } });
  natsHost = `localhost:${nats.port}`;
  const edge = lasting(60);
  gateway = createServer({ cert: edge.certificate, key: edge.privateKey }).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
}, 60_000);
afterAll(async () => {
  gateway.close();
  await Promise.all([postgres.stop(), nats.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

const check = async () =>
  certificatesCheck.run({
    ownerDatabaseUrl: `postgres://a@localhost:${postgres.port}/x?sslmode=verify-full`,
    natsUrl: `tls://a:b@${natsHost}`,
    baseUrl: `https://localhost:${(gateway.address() as AddressInfo).port}`,
  } as unknown as Connections);

describe('the certificates line of doctor (docs/how-to/certificates.md)', () => {
  it('shows the expiry date of each certificate', async () => {
    await exchangeCertificate(postgres, lasting(31));
    const outcome = await check();
    expect(outcome).toEqual({
      ok: true,
      text: `PostgreSQL until ${dayIn(31)}, NATS ${natsHost} until ${dayIn(90)}, https://localhost:${(gateway.address() as AddressInfo).port} until ${dayIn(60)}`,
    });
  });

  it('warns if a certificate expires within 30 days, and fails if one has expired', async () => {
    await exchangeCertificate(postgres, lasting(29));
    expect(await check()).toMatchObject({ ok: true, repair: expect.stringContaining('certificates.md') });
    await exchangeCertificate(postgres, lasting(-1));
    expect(await check()).toMatchObject({
      ok: false,
      text: expect.stringMatching(/^expired: PostgreSQL until /),
    });
  });

  it('ignores servers that are down and sandboxes without encryption, because other checks cover them', async () => {
    const away = {
      ownerDatabaseUrl: 'postgres://a@localhost:1/x?sslmode=verify-full',
      natsUrl: 'nats://a@localhost:1',
    };
    expect(await certificatesCheck.run(away as unknown as Connections)).toEqual({
      ok: true,
      text: 'PostgreSQL presents none',
    });
    const plain = { ...away, ownerDatabaseUrl: 'postgres://a@localhost:1/x', baseUrl: 'http://localhost:1' };
    expect(await certificatesCheck.run(plain as unknown as Connections)).toMatchObject({ ok: true });
  });
});
