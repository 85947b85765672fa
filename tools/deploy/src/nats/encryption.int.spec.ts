// Lane: long (it takes half a minute).
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import { freePort } from '@xs2a/local-servers/free-port';
import { natsNode, nodeName, type NatsPorts } from '@xs2a/local-servers/nats-cluster';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { connectCalls, connectOnce } from '@xs2a/nats/connection';
import { natsConfiguration } from '@xs2a/nats/permissions/server-configuration';
import { until } from '@xs2a/nats/testing/until';
import { createLogger } from '@xs2a/observability/logger';
import type { Issued } from '@xs2a/qwac/issue-certificate';
import { ServerAuthority } from '@xs2a/qwac/testing/server-authority';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-tls-'));
const [certFile, keyFile] = [join(folder, 'server.pem'), join(folder, 'server.key')];
const [first, second] = [new ServerAuthority('first'), new ServerAuthority('second')];
const logged: string[] = [];
const logger = createLogger('test', 'info', { destination: { write: (line) => void logged.push(line) } });
let server: NatsServer;

/** Writes the authorities' certificates to a file. */
const trust = (name: string, ...authorities: readonly ServerAuthority[]): string => {
  const file = join(folder, name);
  writeFileSync(file, authorities.map(({ certificate }) => certificate).join(''));
  return file;
};
const urlWith = (caFile: string): string =>
  `tls://payments:secret@localhost:${server.port}?ca_file=${caFile}`;
const write = ({ certificate, privateKey }: Issued): void => {
  writeFileSync(certFile, certificate);
  writeFileSync(keyFile, privateKey, { mode: 0o600 });
};
const connects = async (url: string): Promise<void> => (await connectOnce(url, 'test')).close();
/** Replaces the running server's certificate. Resolves once the server presents the new one. */
const exchange = async (issued: Issued, shows: () => Promise<unknown>): Promise<void> => {
  write(issued);
  process.kill(server.pid, 'SIGHUP');
  await until(shows);
};
const accepted = (authority: ServerAuthority) => async (): Promise<void> =>
  connects(urlWith(trust('probe.crt', authority)));

beforeAll(async () => {
  write(first.issue('localhost'));
  server = await startNats({
    dataDir: join(folder, 'nats'),
    tls: { certFile, keyFile },
    accounts: natsConfiguration(() => '"secret"'),
  });
});
beforeEach(async () => exchange(first.issue('localhost'), accepted(first)));
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('NATS outside the sandbox is encrypted (docs/how-to/deploy-nats.md)', () => {
  it('a service connects if the server certificate was issued by the authority in ca_file', async () => {
    const connection = await connectOnce(urlWith(trust('ca.crt', first)), 'test');
    expect(connection.info?.tls_required).toBe(true);
    await connection.close();
  });

  it('without ca_file, a service uses the authorities that Node.js trusts', async () => {
    const url = `tls://payments:secret@localhost:${server.port}`;
    await expect(connects(url)).rejects.toThrow('unable to verify');
    const trusted = getCACertificates('default');
    // A deployment sets NODE_EXTRA_CA_CERTS instead, which Node.js reads at startup.
    setDefaultCACertificates([first.certificate]);
    await connects(url);
    setDefaultCACertificates(trusted);
  });

  it('a service refuses a certificate from another authority or for another host, and an unknown parameter', async () => {
    await expect(connects(urlWith(trust('ca.crt', second)))).rejects.toThrow('unable to verify');
    await exchange(first.issue('elsewhere'), async () => {
      await expect(connects(urlWith(trust('ca.crt', first)))).rejects.toThrow(
        /localhost. is not in the cert's altnames/,
      );
    });
    await expect(connects(`tls://localhost:${server.port}?ca=x`)).rejects.toThrow(
      'ca_file, cert_file, key_file',
    );
  });

  it('a service sends nothing to an unencrypted server, not even its password', async () => {
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
    await expect(connects(`tls://payments:secret@localhost:${port}`)).rejects.toThrow(/tls/);
    expect(heard).toBe('');
    plain.close();
  });
});

describe('NATS certificates replaced without a restart (docs/how-to/certificates.md)', () => {
  let service: NatsConnection;
  let file: string;
  beforeEach(async () => {
    file = trust('service-ca.crt', first);
    service = await connectCalls(urlWith(file), 'test', logger);
    logged.length = 0;
  });
  afterEach(async () => service.close());

  it('are accepted, for the server and for the authority, while a service keeps calling', async () => {
    trust('service-ca.crt', first, second);
    await exchange(second.issue('localhost'), accepted(second));
    await service.flush();
    expect(logged).toEqual([]);
    trust('service-ca.crt', second);
    await service.reconnect();
    await until(async () => service.flush());
    expect(logged.join('')).toContain('nats: connected again');
    await expect(connects(urlWith(trust('old.crt', first)))).rejects.toThrow('unable to verify');
  });

  it('are refused if expired, which is logged once, until valid ones are in place', async () => {
    const lines = (): string[] => logged.filter((line) => line.includes('nats: no connection'));
    await exchange(first.issue('localhost', { leftMs: -1000 }), async () => {
      await expect(connects(urlWith(file))).rejects.toThrow('certificate has expired');
    });
    await service.reconnect();
    await until(async () => expect(lines()).toHaveLength(1));
    expect(lines()[0]).toContain('nats: no connection: Error: certificate has expired');
    await exchange(first.issue('localhost'), accepted(first));
    await until(async () => expect(logged.join('')).toContain('nats: connected again'));
    expect(lines()).toHaveLength(1);
  });

  it('make a service log the expiry and wait if it starts while they are expired', async () => {
    await exchange(first.issue('localhost', { leftMs: -1000 }), async () => {
      await expect(connects(urlWith(file))).rejects.toThrow('certificate has expired');
    });
    const starting = connectCalls(urlWith(file), 'starting', logger);
    await until(async () =>
      expect(logged.join('')).toContain('nats: no connection: Error: certificate has expired'),
    );
    await exchange(first.issue('localhost'), accepted(first));
    await (await starting).close();
  });
});

describe('cluster routes use mutual TLS (quality, Security)', () => {
  const started: NatsServer[] = [];
  const startNode = async (index: number, ports: readonly NatsPorts[], authority: ServerAuthority) => {
    const at = join(folder, `cluster-${started.length}`);
    const files = { certFile: `${at}.crt`, keyFile: `${at}.key`, caFile: trust('routes.crt', first) };
    const { certificate, privateKey } = authority.issue('localhost', { loopback: true });
    writeFileSync(files.certFile, certificate);
    writeFileSync(files.keyFile, privateKey, { mode: 0o600 });
    const node = await startNats(natsNode({ dataDir: at, ports, index, tls: files }));
    started.push(node);
    return node;
  };
  const twoPorts = async (): Promise<NatsPorts[]> =>
    Promise.all([1, 2].map(async () => ({ client: await freePort(), route: await freePort() })));
  const enter = async ({ port }: NatsServer, ...authorities: ServerAuthority[]) =>
    connectOnce(`tls://localhost:${port}?ca_file=${trust('clients.crt', ...authorities)}`, 'test');
  afterAll(async () => Promise.all(started.map(async (node) => node.stop())));

  it('a server with a certificate from the same authority joins the cluster', async () => {
    const ports = await twoPorts();
    const one = await enter(await startNode(0, ports, first), first);
    const other = await enter(await startNode(1, ports, first), first);
    one.subscribe('question', { callback: (_error, message) => void message.respond('answer') });
    await until(async () => {
      expect((await other.request('question', '', { timeout: 500 })).string()).toBe('answer');
    });
    await Promise.all([one.close(), other.close()]);
  });

  it('a server with a certificate from another authority cannot join', async () => {
    const ports = await twoPorts();
    const one = await enter(await startNode(0, ports, first), first);
    const log = join(folder, `cluster-${started.length - 1}`, `${nodeName(0)}.log`);
    const stranger = await enter(await startNode(1, ports, second), second);
    one.subscribe('question', { callback: (_error, message) => void message.respond('answer') });
    await until(() => expect(readFileSync(log, 'utf8')).toMatch(/TLS route handshake error.*certificate/));
    await expect(stranger.request('question', '', { timeout: 500 })).rejects.toThrow('no responders');
    await Promise.all([one.close(), stranger.close()]);
  });
});
