import { describe, expect, it } from '@jest/globals';
import { specialPurpose4, specialPurpose6 } from '@xs2a/runtime/receivers/public-address';
import { serviceNames, servicesWithTables } from '@xs2a/sandbox/services/service-table';
import { flows } from './flows.js';
import { base, type Manifest, manifestsIn } from './read-manifests.js';

interface Peer {
  readonly podSelector?: {
    readonly matchLabels?: Readonly<Record<string, string>>;
    readonly matchExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[];
  };
  readonly namespaceSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly ipBlock?: { readonly cidr: string; readonly except: readonly string[] };
}
interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports: readonly { readonly port?: number; readonly protocol: string }[];
}
interface Policy extends Omit<Manifest, 'spec'> {
  readonly spec: {
    readonly podSelector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly policyTypes: readonly string[];
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
  };
}

const policiesIn = (manifests: readonly Manifest[]): Policy[] =>
  manifests.filter(({ kind }) => kind === 'NetworkPolicy') as unknown as Policy[];
const policies = policiesIn([...base, ...manifestsIn('overlays/sandbox')]);
const nameOf = ({ podSelector, namespaceSelector, ipBlock }: Peer): string =>
  podSelector?.matchLabels?.['app.kubernetes.io/name'] ??
  Object.keys(namespaceSelector?.matchLabels ?? {})[0] ??
  ipBlock?.cidr ??
  'everybody';

/** Returns the policies as lines `from -> to:port`, read without the list of flows. */
const linesOf = (side: 'ingress' | 'egress'): string[] =>
  policies
    .flatMap(({ metadata, spec }) =>
      (spec[side] ?? []).flatMap(({ from, to, ports }) =>
        (from ?? to ?? [{}]).flatMap((peer) =>
          ports.map(({ port, protocol }) => {
            const [one, other] =
              side === 'ingress' ? [nameOf(peer), metadata.name] : [metadata.name, nameOf(peer)];
            return `${one} -> ${other} ${port ?? 'any'}/${protocol}`;
          }),
        ),
      ),
    )
    .sort();

const each = (names: readonly string[], line: (name: string) => string): string[] => names.map(line);

describe('network policies', () => {
  it('deny all ingress and egress of our pods unless a policy allows it', () => {
    const deny = policies.find(({ metadata }) => metadata.name === 'deny-by-default');
    expect(deny?.spec).toEqual({
      podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'xs2a' } },
      policyTypes: ['Ingress', 'Egress'],
    });
    for (const { metadata, spec } of policies.filter((policy) => policy !== deny)) {
      expect(spec.policyTypes).toEqual(['Ingress', 'Egress']);
      expect(spec.podSelector.matchLabels).toEqual({ 'app.kubernetes.io/name': metadata.name });
    }
  });

  it('allow ingress only to the gateway, auth, the portal, the console, the health ports and the servers, each from its own clients', () => {
    const clients = [...serviceNames, 'migration-nats', 'operator'];
    expect(linesOf('ingress')).toEqual(
      [
        'xs2a/edge -> gateway 8080/TCP',
        'gateway -> auth 8080/TCP',
        'gateway -> portal 8080/TCP',
        'portal -> gateway 8080/TCP',
        'operator -> gateway 8080/TCP',
        'xs2a/staff -> console 8080/TCP',
        ...each(serviceNames, (app) => `xs2a/monitoring -> ${app} 9000/TCP`),
        ...each(clients, (app) => `${app} -> nats 4222/TCP`),
        'xs2a/bank -> nats 4222/TCP',
        ...each([...servicesWithTables, 'migration', 'operator'], (app) => `${app} -> postgres 5432/TCP`),
      ].sort(),
    );
  });

  it('allow egress only to selected pods, to DNS, to the staff’s provider and, for notifications, to port 443 of public addresses', () => {
    const clients = [...serviceNames, 'migration-nats', 'operator'];
    expect(linesOf('egress')).toEqual(
      [
        'gateway -> auth 8080/TCP',
        'gateway -> portal 8080/TCP',
        'portal -> gateway 8080/TCP',
        'operator -> gateway 8080/TCP',
        ...each(clients, (app) => `${app} -> nats 4222/TCP`),
        ...each([...servicesWithTables, 'migration', 'operator'], (app) => `${app} -> postgres 5432/TCP`),
        ...[...clients, 'migration'].flatMap((app) => [
          `${app} -> kubernetes.io/metadata.name 53/TCP`,
          `${app} -> kubernetes.io/metadata.name 53/UDP`,
        ]),
        'console -> xs2a/identity-provider 443/TCP',
        'notifications -> 0.0.0.0/0 443/TCP',
        'notifications -> 2000::/3 443/TCP',
      ].sort(),
    );
  });

  it('match the list of flows one to one', () => {
    const inside = (party: string) => policies.some(({ metadata }) => metadata.name === party);
    const ports = flows.flatMap(({ from, to, ports: all }) =>
      all.flatMap((port) => [...(inside(from) ? [port] : []), ...(inside(to) ? [port] : [])]),
    );
    // There are two address blocks, one for IPv4 and one for IPv6.
    const isPublic = (line: string) => line.startsWith('notifications -> 2000::/3 ');
    expect([...linesOf('ingress'), ...linesOf('egress')].filter((line) => !isPublic(line))).toHaveLength(
      ports.length,
    );
  });

  it('allow the same pods, and no others, to reach PostgreSQL when CloudNativePG runs it', () => {
    const [policy] = policiesIn(manifestsIn('components/cloudnative-pg'));
    const [expression] = policy?.spec.ingress?.[0]?.from?.[0]?.podSelector?.matchExpressions ?? [];
    expect(expression).toMatchObject({ key: 'app.kubernetes.io/name', operator: 'In' });
    expect(expression?.values.toSorted()).toEqual(
      [...servicesWithTables, 'migration', 'operator'].toSorted(),
    );
  });

  it('exclude the address ranges that the notifications service itself rejects (contract 11: never a private address)', () => {
    const ranges = (all: readonly (readonly [string, number])[]) =>
      all.map(([net, prefix]) => `${net}/${prefix}`);
    const blocks = policies.flatMap(({ spec }) =>
      (spec.egress ?? []).flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? [])),
    );
    expect(blocks).toEqual([
      { cidr: '0.0.0.0/0', except: ranges(specialPurpose4) },
      { cidr: '2000::/3', except: ranges(specialPurpose6) },
    ]);
  });
});
