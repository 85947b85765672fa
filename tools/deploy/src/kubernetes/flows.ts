import type { INetworkPolicyPeer } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicyPeer';
import { specialPurpose4, specialPurpose6 } from '@xs2a/runtime/receivers/public-address';
import { type ServiceName, serviceNames, servicesWithTables } from '@xs2a/sandbox/services/service-table';

/**
 * One of our pods, identified by its label `app.kubernetes.io/name`. `migration`: the jobs for tables;
 * `migration-nats`: the job for streams; `operator`: a pod that runs the operator's command.
 */
export type Pod = ServiceName | 'migration' | 'migration-nats' | 'operator' | 'postgres' | 'nats';
/** A party outside the deployment. */
export type Outsider = 'edge' | 'monitoring' | 'bank' | 'staff' | 'identity-provider' | 'dns' | 'public';
/** The connections allowed from one pod or outsider to another, on these ports. */
export interface Flow {
  readonly from: Pod | Outsider;
  readonly to: Pod | Outsider;
  readonly ports: readonly (number | string)[];
}

export const httpPort = 8080;
export const healthPort = 9000;
const natsPort = 4222;
const postgresPort = 5432;

const askNats: readonly Pod[] = [...serviceNames, 'migration-nats', 'operator'];
const askPostgres: readonly Pod[] = [...servicesWithTables, 'migration', 'operator'];
const resolveNames: readonly Pod[] = [...serviceNames, 'migration', 'migration-nats', 'operator'];

/**
 * All connections that the network policies allow. The kubelet's probes need no entry, because a node can always
 * reach its own pods.
 */
export const flows: readonly Flow[] = [
  { from: 'edge', to: 'gateway', ports: [httpPort] },
  { from: 'gateway', to: 'auth', ports: [httpPort] },
  { from: 'gateway', to: 'portal', ports: [httpPort] },
  // The workspace is a client of the API.
  { from: 'portal', to: 'gateway', ports: [httpPort] },
  { from: 'operator', to: 'gateway', ports: [httpPort] },
  ...askNats.map((from): Flow => ({ from, to: 'nats', ports: [natsPort] })),
  // The adapter of the bank's own core system receives its requests here
  // (docs/how-to/connect-your-core-bank.md).
  { from: 'bank', to: 'nats', ports: [natsPort] },
  ...askPostgres.map((from): Flow => ({ from, to: 'postgres', ports: [postgresPort] })),
  ...serviceNames.map((to): Flow => ({ from: 'monitoring', to, ports: [healthPort] })),
  ...resolveNames.map((from): Flow => ({ from, to: 'dns', ports: ['53/UDP', '53/TCP'] })),
  // Notifications go only to public addresses, as in public-address.ts. A bank that sets NOTIFICATION_PORTS
  // adds these ports in its overlay (docs/how-to/deploy.md).
  { from: 'notifications', to: 'public', ports: [443] },
  // The console's pages. A bank whose identity provider is outside the cluster allows its address in its overlay
  // (docs/how-to/operate-the-console.md).
  { from: 'staff', to: 'console', ports: [httpPort] },
  { from: 'console', to: 'identity-provider', ports: [443] },
];

const namespaceLabelled = (label: string): INetworkPolicyPeer => ({
  namespaceSelector: { matchLabels: { [label]: 'true' } },
});
const ranges = (all: readonly (readonly [string, number])[]): string[] =>
  all.map(([net, prefix]) => `${net}/${prefix}`);

/**
 * A NetworkPolicy peer outside the deployment. The platform sets the labels on the namespaces of the edge,
 * monitoring, the core bank's adapter, the proxy in front of the console, and the staff's identity provider.
 */
export const outsiders: Readonly<Record<Outsider, readonly INetworkPolicyPeer[]>> = {
  edge: [namespaceLabelled('xs2a/edge')],
  monitoring: [namespaceLabelled('xs2a/monitoring')],
  bank: [namespaceLabelled('xs2a/bank')],
  staff: [namespaceLabelled('xs2a/staff')],
  'identity-provider': [namespaceLabelled('xs2a/identity-provider')],
  dns: [
    {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
      podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
    },
  ],
  public: [
    { ipBlock: { cidr: '0.0.0.0/0', except: ranges(specialPurpose4) } },
    { ipBlock: { cidr: '2000::/3', except: ranges(specialPurpose6) } },
  ],
};
