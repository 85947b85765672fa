import { describe, expect, it } from '@jest/globals';
import { deploymentAccounts, deploymentConfiguration } from '@xs2a/nats/permissions/server-configuration';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { outsiders } from '../kubernetes/flows.js';
import { root } from '@xs2a/sandbox/layout';
import { type Fields, findObject, readComponent } from './component-files.js';

const { config, container, promExporter, reloader } = parse(readComponent('nats/values.yaml')) as Readonly<
  Record<'config' | 'container' | 'promExporter' | 'reloader', Fields>
>;

/** Returns the value of a `name: value` line in the configuration for Compose and the sandbox. */
const valueOf = (name: string): string =>
  (new RegExp(`^ *${name}: (.+)$`, 'm').exec(deploymentConfiguration())?.[1] ?? '').replaceAll('"', '');
const binary = (size: string): string => size.replace(/B$/, 'i');

describe('NATS installed by its Helm chart (docs/how-to/deploy.md)', () => {
  it('has the accounts, users and permissions of the permission table', () => {
    expect(readComponent('nats/accounts.conf')).toBe(deploymentAccounts());
    expect(deploymentAccounts()).toContain('user: payments-streams, password: $NATS_PASSWORD_PAYMENTS');
    expect(config['merge']?.['$include']).toBe('../nats-accounts/accounts.conf');
  });

  it('runs a version with the security fixes of 2026', () => {
    const [, minor = 0, patch = 0] =
      /^2\.(\d+)\.(\d+)-alpine$/.exec(String(container['image']?.['tag'])) ?? [];
    expect([Number(minor) * 1000 + Number(patch) >= 12_007, Number(minor) === 13]).toEqual([true, false]);
    // The documentation must state the same version.
    expect(readFileSync(join(root, 'docs/how-to/deploy-nats.md'), 'utf8')).toContain('2.12.7');
  });

  it('reads its password hashes from the secret that deploy/make-secrets.sh creates', () => {
    expect(container['merge']?.['envFrom']).toEqual([{ secretRef: { name: 'nats' } }]);
  });

  it('has the limits of deploy/nats/nats-server.conf', () => {
    const merged = config['merge'] as unknown as Readonly<Record<string, string | number>>;
    expect(merged['max_payload']).toBe(`<< ${valueOf('max_payload')} >>`);
    for (const name of ['max_connections', 'write_deadline', 'ping_interval', 'ping_max'])
      expect([name, String(merged[name])]).toEqual([name, valueOf(name)]);
    expect(config['jetstream']).toMatchObject({
      memoryStore: { maxSize: binary(valueOf('max_memory_store')) },
      fileStore: { maxSize: binary(valueOf('max_file_store')) },
    });
  });

  it('has containers that meet Pod Security `restricted`, which the namespace enforces', () => {
    for (const { merge } of [container, reloader, promExporter])
      expect(merge?.['securityContext']).toEqual({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
  });

  it('can be reached by the core bank from another namespace, under a name in its certificate', () => {
    const { spec } = findObject('nats/network-policy.yaml', 'NetworkPolicy');
    expect(spec['ingress']).toMatchObject([
      {
        from: [{ podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'xs2a' } } }, ...outsiders.bank],
        ports: [{ port: 4222, protocol: 'TCP' }],
      },
      { ports: [{ port: 6222, protocol: 'TCP' }] },
      { from: outsiders.monitoring, ports: [{ port: 7777, protocol: 'TCP' }] },
    ]);
    const { namespace } = parse(
      readFileSync(join(root, 'k8s/overlays/production/kustomization.yaml'), 'utf8'),
    ) as {
      readonly namespace: string;
    };
    const { dnsNames } = findObject('cert-manager/nats.yaml', 'Certificate', 'nats-tls').spec;
    for (const name of ['nats', `nats.${namespace}`, `nats.${namespace}.svc`])
      expect(dnsNames).toContain(name);
  });

  it('has three servers that encrypt client and cluster connections with issued certificates', () => {
    expect(config['cluster']).toMatchObject({ enabled: true, replicas: 3, tls: { enabled: true } });
    for (const tls of [config['nats']?.['tls'], config['cluster']?.['tls']])
      expect(
        findObject('cert-manager/nats.yaml', 'Certificate', String(tls?.['secretName'])).spec['secretName'],
      ).toBe(tls?.['secretName']);
  });
});
