import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@xs2a/local-servers/free-port';
import { natsConfiguration } from '@xs2a/nats/permissions/server-configuration';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { connectOnce } from '@xs2a/nats/connection';
import { issueCertificate } from '@xs2a/qwac/issue-certificate';
import { newSandboxAuthority } from '@xs2a/qwac/sandbox-authority';
import { createPrivateKey } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-tls-'));
const trusted = getCACertificates('default');
const now = Date.UTC(2026, 0, 1);
const authority = newSandboxAuthority(now);
let server: NatsServer;

beforeAll(async () => {
  const issued = issueCertificate(
    {
      subject: { CN: 'localhost' },
      serialNumber: Buffer.from([1]),
      notBefore: new Date(now),
      notAfter: new Date(now + 20 * 365 * 86_400_000),
      extensions: [],
    },
    {
      subject: { C: 'BG', O: 'XS2A sandbox', CN: 'XS2A sandbox test CA' },
      privateKey: createPrivateKey(authority.privateKey),
    },
  );
  const [certFile, keyFile] = [join(folder, 'server.pem'), join(folder, 'server.key')];
  writeFileSync(certFile, issued.certificate);
  writeFileSync(keyFile, issued.privateKey, { mode: 0o600 });
  server = await startNats({
    dataDir: join(folder, 'nats'),
    tls: { certFile, keyFile },
    accounts: natsConfiguration(() => '"secret"'),
  });
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const urlAt = (port: number): string => `tls://payments:secret@localhost:${port}`;

describe('NATS outside the sandbox is encrypted (docs/how-to/deploy-nats.md)', () => {
  it('a service comes in where the server shows a certificate of an authority that it trusts', async () => {
    // A deployment does this by NODE_EXTRA_CA_CERTS, which Node reads at its start.
    setDefaultCACertificates([authority.certificate]);
    const connection = await connectOnce(urlAt(server.port), 'test');
    expect(connection.info?.tls_required).toBe(true);
    await connection.close();
  });

  it('and does not where it trusts no such authority', async () => {
    setDefaultCACertificates(trusted);
    await expect(connectOnce(urlAt(server.port), 'test')).rejects.toThrow(/certificate|verify/i);
  });

  it('says nothing to a server that offers no encryption, not even its password', async () => {
    let heard = '';
    const port = await freePort();
    const plain = createServer((socket) => {
      socket.on('data', (data) => {
        heard += data.toString();
      });
      socket.on('error', () => undefined);
      socket.write(
        'INFO {"server_id":"x","version":"2.10.22","proto":1,"host":"localhost","max_payload":1048576}\r\n',
      );
    });
    plain.listen(port, 'localhost');
    await once(plain, 'listening');
    await expect(connectOnce(urlAt(port), 'test')).rejects.toThrow(/tls/);
    expect(heard).toBe('');
    plain.close();
  });
});
