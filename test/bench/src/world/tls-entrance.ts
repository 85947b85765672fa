import { freePort } from '@xs2a/local-servers/free-port';
import { root } from '@xs2a/sandbox/layout';
import type { Issued } from '@xs2a/qwac/issue-certificate';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { startForked } from './forked.js';
import { waitUntil } from './wait-until.js';

/** The proxy that terminates TLS in front of the gateway. */
export interface TlsEntrance {
  /** `nginx` with deploy/gateway/nginx.conf, or `Node` if the machine has no nginx. */
  readonly kind: 'nginx' | 'Node';
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
}

export interface TlsEntranceParts {
  readonly folder: string;
  readonly gatewayPort: number;
  readonly proxySecret: string;
  readonly identity: Issued;
  /** The certificates of the authorities that issue client certificates, in PEM. */
  readonly anchors: string;
}

const nginx = process.env['NGINX'] ?? 'nginx';
const hasNginx = (): boolean => spawnSync(nginx, ['-v']).status === 0;

export const startTlsEntrance = async (parts: TlsEntranceParts): Promise<TlsEntrance> => {
  mkdirSync(parts.folder, { recursive: true });
  writeFileSync(join(parts.folder, 'server.crt'), parts.identity.certificate);
  writeFileSync(join(parts.folder, 'server.key'), parts.identity.privateKey, { mode: 0o600 });
  return hasNginx() ? startNginx(parts) : startNodeProxy(parts);
};

/**
 * Renders deploy/gateway/nginx.conf with this run's paths and ports, and without the certificate revocation list
 * of a real authority.
 */
const renderConfiguration = ({ folder, gatewayPort }: TlsEntranceParts, port: number): string => {
  const replaced = [
    ['/run/secrets/xs2a/', `${folder}/`],
    ['server gateway:8080;', `server 127.0.0.1:${gatewayPort};`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
    ['worker_processes auto;', 'worker_processes 1;'],
    [`ssl_crl ${folder}/revoked.crl;`, ''],
    ['http {', `http {\n  access_log ${folder}/access.log;`],
    ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => [
      'server_tokens off;',
      `server_tokens off; ${name}_temp_path ${folder}/${name};`,
    ]),
  ] as const;
  const deployed = readFileSync(join(root, 'deploy/gateway/nginx.conf'), 'utf8');
  return replaced.reduce((text, [from = '', to = '']) => {
    if (!text.includes(from)) throw new Error(`deploy/gateway/nginx.conf has no "${from}"`);
    return text.replaceAll(from, to);
  }, deployed);
};

const takesConnections = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1');
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
};

const startNginx = async (parts: TlsEntranceParts): Promise<TlsEntrance> => {
  const { folder, proxySecret, anchors } = parts;
  const port = await freePort();
  writeFileSync(join(folder, 'nginx.conf'), renderConfiguration(parts, port));
  writeFileSync(join(folder, 'trust-anchors.pem'), anchors);
  writeFileSync(join(folder, 'proxy-secret.conf'), `proxy_set_header X-Proxy-Secret "${proxySecret}";\n`, {
    mode: 0o600,
  });
  const asRoot = process.getuid?.() === 0 ? 'user root; ' : '';
  const global = `${asRoot}daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;`;
  const child = spawn(nginx, ['-p', folder, '-e', `${folder}/error.log`, '-c', 'nginx.conf', '-g', global], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await waitUntil(async () => {
    if (child.exitCode !== null)
      throw new Error(`nginx ended: ${readFileSync(`${folder}/error.log`, 'utf8')}`);
    return takesConnections(port);
  }, 50);
  return entranceOf('nginx', child, port);
};

const startNodeProxy = async ({
  folder,
  gatewayPort,
  proxySecret,
}: TlsEntranceParts): Promise<TlsEntrance> => {
  const { child, port } = await startForked('world/node-tls-proxy.js', {
    GATEWAY_PORT: String(gatewayPort),
    PROXY_SECRET: proxySecret,
    CERTIFICATE_FILE: join(folder, 'server.crt'),
    KEY_FILE: join(folder, 'server.key'),
  });
  return entranceOf('Node', child, port);
};

const entranceOf = (kind: TlsEntrance['kind'], child: ChildProcess, port: number): TlsEntrance => {
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  return { kind, pid: child.pid ?? 0, port, stop };
};
