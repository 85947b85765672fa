import { parseJson, send } from '@xs2a/tpp-client/http';
import { makeLayout, secretIn } from '@xs2a/sandbox/layout';
import type { SandboxOptions } from '@xs2a/sandbox/sandbox-options';
import type { Sandbox } from '@xs2a/sandbox/sandbox';
import { testAuthority } from '@xs2a/sandbox/tpp/test-authority';
import { startStandby } from '@xs2a/local-servers/postgres-standby';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import type { PspRole } from '@xs2a/qwac/psp-roles';
import { issueTestQwac } from '@xs2a/qwac/sandbox-authority';
import { calculateJwkThumbprint } from 'jose';
import { generateKeyPairSync, hash, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import type { Part } from '../load/cpu-time.js';
import type { Entrance } from '../load/load-plan.js';
import type { ProofKey } from '../load/proofs.js';
import { type Forked, startForked } from './forked.js';
import type { Bindings } from './minted-tokens.js';
import { realTime } from './real-time.js';
import { startTlsEntrance, type TlsEntrance } from './tls-entrance.js';

const proxyName = 'xs2a.bank.example';
const organizationIdentifier = 'PSDBG-BNB-BENCH1';
const roles: readonly PspRole[] = ['PSP_AI', 'PSP_PI', 'PSP_IC'];

/** The permissions that docs/how-to/connect-your-core-bank.md requires on a bank's own server. */
const bankAccounts = `accounts {
  BANK { users: [
    { user: xs2a, password: secret, permissions: { publish: ["svc.bank.>"], subscribe: ["_INBOX.xs2a.>"] } }
    { user: bank, password: secret, permissions: {
      publish: [], subscribe: ["svc.bank.>"], allow_responses: { max: 1, expires: "30s" } } }
  ] }
}`;

/** The parts that start before the services: the custom core bank with its own nats-server. */
export interface ProductionSettings {
  readonly options: Partial<SandboxOptions>;
  /** Additional environment variables for the gateway. */
  readonly gateway: Readonly<Record<string, string>>;
  readonly parts: readonly Part[];
  stop(): Promise<void>;
}

export const productionSettings = async (folder: string, currency: string): Promise<ProductionSettings> => {
  const nats = await startNats({ dataDir: join(folder, 'bank-nats'), accounts: bankAccounts });
  const as = (user: string): string => nats.url.replace('nats://', `nats://${user}:secret@`);
  let bank: Forked | undefined;
  const stop = async (server: NatsServer): Promise<void> => {
    bank?.child.kill();
    await server.stop();
  };
  try {
    bank = await startForked('world/bench-bank.js', { NATS_URL: as('bank'), CURRENCY: currency });
  } catch (error) {
    await stop(nats);
    throw error;
  }
  return {
    options: { natsNodes: 3, coreBank: as('xs2a') },
    gateway: { CLIENT_CERTIFICATES: 'required' },
    parts: [
      { name: 'bank', pid: bank.pid },
      { name: 'bank-nats', pid: nats.pid },
    ],
    stop: async () => stop(nats),
  };
};

/** The TLS proxy, and a TPP with a certificate and tokens bound to a key. */
export interface ProductionEntrance {
  readonly entrance: Entrance;
  readonly clientId: string;
  readonly bindings: Bindings;
  readonly conditions: string;
  readonly parts: readonly Part[];
  stopProxy(): Promise<void>;
  /** Stops the standby and the parts that started before the services. */
  stop(): Promise<void>;
}

export const startProductionEntrance = async (
  folder: string,
  sandbox: Sandbox,
  settings: ProductionSettings,
): Promise<ProductionEntrance> => {
  const standby = await startStandby(sandbox.postgres.current, {
    dataDir: join(folder, 'standby'),
    synchronous: true,
  });
  const layout = makeLayout(sandbox.dataDir);
  const authority = testAuthority(layout);
  const qwac = (name: string) =>
    issueTestQwac({ name, organizationIdentifier, roles, days: 30 }, authority, realTime.nowMs());
  const own = qwac('Bench TPP');
  const { clientId } = parseJson<{ readonly clientId: string }>(
    await send('POST', `${sandbox.baseUrl}/sandbox/tpps`, {
      json: {
        name: 'Bench TPP',
        redirectUris: ['https://tpp.example/callback'],
        roles,
        tokenEndpointAuthMethod: 'tls_client_auth',
        organizationIdentifier,
        certificate: own.certificate,
      },
    }),
  );
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = privateKey.export({ format: 'jwk' }) as ProofKey['jwk'];
  const proxy: TlsEntrance = await startTlsEntrance({
    folder: join(folder, 'proxy'),
    gatewayPort: Number(new URL(sandbox.baseUrl).port),
    proxySecret: secretIn(layout.secret('proxy-secret')),
    identity: qwac(proxyName),
    anchors: authority.certificate,
  });
  const { d: _private, ...publicJwk } = jwk;
  return {
    entrance: {
      port: proxy.port,
      tls: {
        ca: authority.certificate,
        servername: proxyName,
        cert: own.certificate,
        key: own.privateKey,
      },
      proofs: { jwk, origin: sandbox.baseUrl },
    },
    clientId,
    bindings: {
      key: await calculateJwkThumbprint(publicJwk),
      certificate: hash('sha256', new X509Certificate(own.certificate).raw, 'base64url'),
    },
    conditions: `TLS ends at ${proxy.kind === 'nginx' ? 'nginx' : 'a TLS proxy in Node (there is no nginx)'}`,
    parts: [{ name: 'proxy', pid: proxy.pid }, { name: 'standby', pid: standby.pid }, ...settings.parts],
    stopProxy: async () => proxy.stop(),
    stop: async () => {
      await standby.stop();
      await settings.stop();
    },
  };
};
