import { describe, expect, it } from '@jest/globals';
import { databaseRoles } from '@xs2a/local-servers/databases';
import { natsUsers } from '@xs2a/nats/permissions/rights';
import { natsPasswordVariable } from '@xs2a/nats/permissions/server-configuration';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { root } from '@xs2a/sandbox/layout';
import { findObject, readComponent, readObjects } from './component-files.js';

interface Data {
  readonly secretKey: string;
  readonly remoteRef: { readonly property: string };
}
const external = ['services', 'edge', 'servers'].flatMap((file) =>
  readObjects(`external-secrets/${file}.yaml`),
);
const keysOf = new Map(
  external.map(({ metadata, spec }) => [
    metadata.name,
    (spec['data'] as unknown as readonly Data[]).map(({ secretKey }) => secretKey),
  ]),
);

interface Workload {
  readonly kind: string;
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly env: readonly {
            readonly value?: string;
            readonly valueFrom?: { readonly secretKeyRef?: { readonly name: string; readonly key: string } };
          }[];
        }[];
        readonly volumes?: readonly { readonly secret?: { readonly secretName: string } }[];
      };
    };
  };
}
const folder = '/run/secrets/xs2a/';
/** Returns the secrets that a workload reads, as `secret key`. */
const listReads = ({ spec: { template } }: Workload): string[] => {
  const secret = template.spec.volumes?.find((volume) => volume.secret !== undefined)?.secret?.secretName;
  return template.spec.containers
    .flatMap(({ env }) => env)
    .flatMap(({ value, valueFrom }) => {
      if (value?.startsWith(folder)) return [`${secret} ${value.slice(folder.length)}`];
      const ref = valueFrom?.secretKeyRef;
      return ref === undefined ? [] : [`${ref.name} ${ref.key}`];
    });
};
const workloads = globSync('k8s/base/*.yaml', { cwd: root })
  .flatMap((file) => parseAllDocuments(readFileSync(join(root, file), 'utf8')))
  .map((document) => document.toJS() as Workload)
  .filter(({ kind }) => kind === 'Deployment' || kind === 'Job');

describe('secrets from an external store (external-secrets) (docs/how-to/deploy.md)', () => {
  it('are exactly the secrets and keys that services and jobs read', () => {
    // A bank adds these if its core system has its own NATS (docs/how-to/connect-your-core-bank.md), if a
    // KMS decrypts its master keys, or if the console has pages (docs/how-to/operate-the-console.md). Only a
    // sandbox's portal has a workspace.
    const optional = [
      ' core-bank-nats-url',
      ' master-keys-kms-url',
      ' master-keys-kms-token',
      'xs2a-console cookie-secret',
      'xs2a-console staff-client-secret',
      'xs2a-portal portal-secret',
    ];
    const isOptional = (one: string): boolean => optional.some((key) => one.endsWith(key));
    const read = new Set(workloads.flatMap(listReads).filter((one) => !isOptional(one)));
    expect(read.size).toBeGreaterThan(15);
    const made = [...keysOf]
      // These two are read by programs that the manifests do not run.
      .filter(([name]) => name.startsWith('xs2a-') && !['xs2a-bank', 'xs2a-operator'].includes(name))
      .filter(([name]) => !['xs2a-edge', 'xs2a-tpp-authorities'].includes(name))
      .flatMap(([name, keys]) => keys.map((key) => `${name} ${key}`));
    expect(made.toSorted()).toEqual([...read].toSorted());
  });

  it('include a password for every PostgreSQL role and every NATS user', () => {
    for (const role of databaseRoles)
      expect([role, keysOf.get(role.replace('xs2a_', 'postgres-'))]).toEqual([role, ['password']]);
    expect(keysOf.get('nats')?.toSorted()).toEqual(natsUsers.map(natsPasswordVariable).toSorted());
  });

  it('are read under their names in the store', () => {
    const data = external.flatMap(({ spec }) => spec['data'] as unknown as readonly Data[]);
    expect(data.filter(({ secretKey, remoteRef }) => secretKey !== remoteRef.property)).toEqual([]);
  });

  it('include the configuration line with which ingress-nginx sends the secret of the gateway', () => {
    const { metadata, spec } = findObject('ingress-nginx/secret/external-secret.yaml', 'ExternalSecret');
    const values = readComponent('ingress-nginx/values.yaml');
    expect(values).toContain(`secret: { secretName: ${metadata.name} }`);
    const data = spec['target']?.['template']?.['data'] as unknown as Readonly<Record<string, string>>;
    expect(data).toEqual({ 'proxy-secret.conf': 'proxy_set_header X-Proxy-Secret "{{ .credential }}";' });
    for (const file of Object.keys(data)) expect(values).toContain(`include /etc/xs2a-edge/${file};`);
    expect(spec['data']).toEqual(
      findObject('external-secrets/edge.yaml', 'ExternalSecret', 'xs2a-edge').spec['data'],
    );
  });
});
