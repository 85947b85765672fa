import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { databaseRoles } from '@xs2a/local-servers/databases';
import { natsUsers } from '@xs2a/nats/permissions/rights';
import { natsPasswordVariable } from '@xs2a/nats/permissions/server-configuration';
import { isVerifiedUrl } from '@xs2a/nats/nats-url';
import { isVerifyFull } from '@xs2a/postgres/tls';
import { type ConfigSpec, readConfig } from '@xs2a/runtime/config';
import { spawnSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '@xs2a/sandbox/layout';
import { serviceNames } from '@xs2a/sandbox/services/service-table';
import {
  base,
  configMapData,
  type Kustomization,
  manifestsIn,
  named,
  overlays,
  podsOf,
} from './read-manifests.js';
import { declaredBy, type EnvironmentVariable, secretFolder } from './settings.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-secrets-'));
const made = join(folder, 'secrets');
const makeSecrets = (target: string, env: NodeJS.ProcessEnv = {}) =>
  spawnSync(join(root, 'deploy/make-secrets.sh'), [target], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  });
const read = (secret: string, key: string, from = made): string =>
  readFileSync(join(from, secret, key), 'utf8').trim();

/** The keys of each generated secret. */
let secrets: Readonly<Record<string, readonly string[]>>;
let generated: Kustomization;
beforeAll(() => {
  expect(makeSecrets(made)).toMatchObject({ status: 0 });
  generated = parse(readFileSync(join(made, 'kustomization.yaml'), 'utf8')) as Kustomization;
  secrets = Object.fromEntries(
    (generated.secretGenerator ?? []).map(({ name, files }) => [
      name,
      files.map((file) => file.slice(name.length + 1)),
    ]),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const environmentOf = (app: string): readonly EnvironmentVariable[] =>
  named('Deployment', app).spec.template.spec.containers[0]?.env ?? [];

/** Returns a service's environment in an overlay, with the files of its secret. */
const environmentIn = (overlay: string, app: string): NodeJS.ProcessEnv => {
  const settings = configMapData(`overlays/${overlay}`, 'xs2a');
  return Object.fromEntries(
    environmentOf(app).map(({ name, value, valueFrom }) => [
      name,
      value?.replace(secretFolder, join(made, `xs2a-${app}`)) ??
        settings[valueFrom?.configMapKeyRef?.key ?? ''],
    ]),
  );
};

describe.each(serviceNames)('the settings of %s (docs/how-to/deploy.md)', (app) => {
  it('are exactly those that its container sets', async () => {
    const declared: ConfigSpec = await declaredBy(app);
    const given = environmentOf(app).map(({ name }) =>
      name in declared ? name : name.replace(/_FILE$/, ''),
    );
    expect(given).toEqual(Object.keys(declared));
  });

  it('are complete in the sandbox: the service accepts its configuration', async () => {
    const declared = await declaredBy(app);
    expect(readConfig(declared, environmentIn('sandbox', app))).toMatchObject({
      SANDBOX: true,
      NATS_URL: expect.stringMatching(/^nats:\/\/[a-z-]+:s[0-9a-f]{48}@nats:4222$/),
    });
  });

  it.each(overlays)(
    'are all in the overlay %s, except the secrets, which the bank provides',
    async (overlay) => {
      const settings = configMapData(`overlays/${overlay}`, 'xs2a');
      const missing = environmentOf(app)
        .map(({ valueFrom }) => valueFrom?.configMapKeyRef)
        .filter(
          (reference) => reference !== undefined && !reference.optional && !(reference.key in settings),
        );
      expect(missing).toEqual([]);
    },
  );
});

describe('the ConfigMap', () => {
  it.each(overlays)('of %s contains only settings that a service reads', async (overlay) => {
    const specs = await Promise.all(serviceNames.map(declaredBy));
    const read = new Set(specs.flatMap((spec) => Object.keys(spec)));
    expect(Object.keys(configMapData(`overlays/${overlay}`, 'xs2a')).filter((key) => !read.has(key))).toEqual(
      [],
    );
  });

  it('selects the core bank: the actual bank in production, the sandbox ledger in the sandbox', () => {
    expect(configMapData('base', 'xs2a')).toMatchObject({ CORE_BANK: 'nats', SANDBOX: 'false' });
    expect(configMapData('overlays/sandbox', 'xs2a')).toMatchObject({
      CORE_BANK: 'sandbox',
      SANDBOX: 'true',
    });
    for (const app of ['accounts', 'auth'])
      expect(environmentOf(app).map(({ name }) => name)).toContain('CORE_BANK');
  });
});

describe('deploy/make-secrets.sh (docs/how-to/deploy.md)', () => {
  it('creates every key of every secret that a pod refers to', () => {
    const pods = [...podsOf(base), ...podsOf(manifestsIn('overlays/sandbox'))];
    for (const [pod, { containers, volumes }] of pods) {
      const mounted = volumes.flatMap(({ secret }) => secret?.secretName ?? []);
      const whole = containers.flatMap(({ envFrom = [] }) => envFrom.map(({ secretRef }) => secretRef.name));
      expect([pod, [...mounted, ...whole].filter((name) => !(name in secrets))]).toEqual([pod, []]);
      const keys = containers
        .flatMap(({ env = [] }) => env)
        .flatMap(({ value }) =>
          value?.startsWith(secretFolder) ? value.slice(secretFolder.length + 1) : [],
        );
      expect([pod, keys.filter((key) => !secrets[mounted[0] ?? '']?.includes(key))]).toEqual([pod, []]);
    }
  });

  it('gives a migration job only one of the two keys in its secret, the one that it reads', () => {
    for (const { metadata, spec } of base.filter(({ kind }) => kind === 'Job')) {
      const { containers, volumes } = spec.template.spec;
      const read = containers
        .flatMap(({ env = [] }) => env)
        .flatMap(({ value }) => value?.split(`${secretFolder}/`)[1] ?? []);
      expect(read).toHaveLength(1);
      const [given] = volumes.flatMap(({ secret }) => secret?.items ?? []);
      expect([metadata.name, given?.key]).toEqual([metadata.name, read[0]]);
    }
  });

  it('creates a password for each database role and each NATS user, and passes it to the programs that use it', () => {
    const roles = databaseRoles.map(
      (role) => `POSTGRES_PASSWORD_${role.slice('xs2a_'.length).toUpperCase()}`,
    );
    expect([...(secrets['postgres'] ?? [])].sort()).toEqual(['POSTGRES_PASSWORD', ...roles].sort());
    expect([...(secrets['nats'] ?? [])].sort()).toEqual(natsUsers.map(natsPasswordVariable).sort());
    expect(read('xs2a-settlement-worker', 'database-url')).toBe(
      `postgres://xs2a_settlement:${read('postgres', 'POSTGRES_PASSWORD_SETTLEMENT')}@postgres:5432/xs2a`,
    );
    expect(read('xs2a-migrations', 'nats-url')).toMatch(/^nats:\/\/migration:s[0-9a-f]{48}@nats:4222$/);
  });

  it('writes the roles with their passwords as a script for the database server of the bank', () => {
    const sql = readFileSync(join(made, 'roles.sql'), 'utf8');
    expect(sql).toContain(readFileSync(join(root, 'deploy/postgres/roles.sql'), 'utf8'));
    for (const role of databaseRoles) {
      const key = `POSTGRES_PASSWORD_${role.slice('xs2a_'.length).toUpperCase()}`;
      expect(sql).toContain(`\nALTER ROLE ${role} PASSWORD '${read('postgres', key)}';\n`);
    }
  });

  it('creates a key for tokens, another one for dispute bundles, and a sandbox authority', () => {
    const made = ['signing-keys.json', 'bundle-keys.json'].map((name) => {
      const { keys } = JSON.parse(read('xs2a-auth', name)) as {
        readonly keys: readonly [Readonly<Record<string, string>>];
      };
      expect(keys[0].kid).toMatch(/^[0-9a-f]{32}$/);
      const { asymmetricKeyDetails } = createPrivateKey({ key: keys[0], format: 'jwk' });
      expect(asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
      return keys[0].d;
    });
    expect(new Set(made).size).toBe(2);
    expect(new X509Certificate(read('xs2a-gateway', 'trust-anchors.pem')).ca).toBe(true);
  });

  it('appends a hash only to the names of service secrets', () => {
    const hashed = (generated.secretGenerator ?? []).filter(({ options }) => !options?.disableNameSuffixHash);
    expect(hashed.map(({ name }) => name)).toEqual(serviceNames.map((app) => `xs2a-${app}`).sort());
  });

  it('uses the given servers outside the sandbox, and also creates the secrets of the edge and the database there', () => {
    const bank = join(folder, 'bank');
    const anchors = join(made, 'xs2a-gateway/trust-anchors.pem');
    expect(makeSecrets(bank, { DATABASE: 'postgres:5432/xs2a' })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('TRUST_ANCHORS'),
    });
    const env = {
      NATS: 'tls://nats:4222?ca_file=/run/secrets/nats/ca.crt',
      DATABASE: 'postgres-rw:5432/xs2a?sslmode=verify-full',
      TRUST_ANCHORS: anchors,
    };
    expect(makeSecrets(bank, env)).toMatchObject({ status: 0 });
    expect(read('xs2a-payments', 'nats-url', bank)).toMatch(
      /^tls:\/\/payments:s\w{48}@nats:4222\?ca_file=\/run\/secrets\/nats\/ca\.crt$/,
    );
    expect(read('xs2a-payments', 'database-url', bank)).toBe(
      `postgres://xs2a_payments:${read('postgres-payments', 'password', bank)}@postgres-rw:5432/xs2a?sslmode=verify-full`,
    );
    // Only the sandbox has the superuser's password and one file with the passwords of all roles.
    expect(existsSync(join(bank, 'postgres'))).toBe(false);
    expect(readFileSync(join(bank, 'roles.sql'), 'utf8')).toContain(
      `ALTER ROLE xs2a_payments PASSWORD '${read('postgres-payments', 'password', bank)}';\n`,
    );
    expect(read('postgres-payments', 'username', bank)).toBe('xs2a_payments');
    expect(read('xs2a-edge', 'credential', bank)).toBe(read('xs2a-gateway', 'proxy-secret', bank));
    expect(read('xs2a-auth', 'trust-anchors.pem', bank)).toBe(readFileSync(anchors, 'utf8').trim());
    // Anyone with the private key of the sandbox's authority could impersonate a TPP.
    expect(existsSync(join(bank, 'test-authority.key'))).toBe(false);
    expect(readFileSync(join(bank, 'kustomization.yaml'), 'utf8')).toContain(
      '- name: postgres-owner\n    files:\n      - postgres-owner/password\n      - postgres-owner/username\n    type: kubernetes.io/basic-auth\n    options: { disableNameSuffixHash: true }\n',
    );
  });

  it.each(['docs/how-to/deploy.md', 'docs/how-to/deploy-production.md'])(
    'is documented in %s with addresses that services accept outside the sandbox',
    (file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const addressesIn = (name: string): string[] =>
        [...text.matchAll(new RegExp(`\\b${name}='([^']+)'`, 'g'))].map(([, value = '']) => value);
      const [databases, servers] = [addressesIn('DATABASE'), addressesIn('NATS')];
      expect([databases.length, servers.length]).toEqual([1, 1]);
      expect(databases.filter((address) => !isVerifyFull(`postgres://role:password@${address}`))).toEqual([]);
      expect(servers.filter((address) => !isVerifiedUrl(address))).toEqual([]);
    },
  );

  it('makes files readable only by their owner, and does not replace existing ones', () => {
    expect(statSync(join(made, 'xs2a-auth/signing-keys.json')).mode & 0o077).toBe(0);
    expect(makeSecrets(made)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('is there already'),
    });
  });

  it('writes to a folder that git ignores', () => {
    expect(readFileSync(join(root, '.gitignore'), 'utf8')).toContain('k8s/overlays/*/secrets/\n');
  });
});
