import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { INetworkPolicyPeer } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicyPeer';
import type { INetworkPolicyPort } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicyPort';
import { type Flow, flows, type Outsider, outsiders, type Pod } from './flows.js';
import { commonLabels, labels, nameLabel, partOf } from './labels.js';

type Party = Pod | Outsider;

const isOutsider = (party: Party): party is Outsider => party in outsiders;
const peers = (party: Party): readonly INetworkPolicyPeer[] =>
  isOutsider(party) ? outsiders[party] : [{ podSelector: { matchLabels: nameLabel(party) } }];

const portRule = (port: number | string): INetworkPolicyPort => {
  const [number, protocol] = String(port).split('/');
  return { protocol: protocol === 'UDP' ? 'UDP' : 'TCP', port: Number(number) };
};
/** One rule per set of ports, with all its peers. */
const rules = (side: 'from' | 'to', found: readonly Flow[]) =>
  [...new Set(found.map(({ ports }) => ports.join()))].map((ports) => {
    const same = found.filter((flow) => flow.ports.join() === ports);
    return { [side]: same.flatMap((flow) => peers(flow[side])), ports: same[0]?.ports.map(portRule) };
  });

/** Returns a pod's allowed ingress and egress, from the list of flows. */
export const networkPolicy = (pod: Pod): INetworkPolicy => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: pod, labels: labels(pod) },
  spec: {
    podSelector: { matchLabels: nameLabel(pod) },
    policyTypes: ['Ingress', 'Egress'],
    ingress: rules(
      'from',
      flows.filter(({ to }) => to === pod),
    ),
    egress: rules(
      'to',
      flows.filter(({ from }) => from === pod),
    ),
  },
});

/** Denies all traffic that no other policy allows. */
export const denyByDefault = (): INetworkPolicy => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'deny-by-default', labels: commonLabels },
  spec: { podSelector: { matchLabels: partOf }, policyTypes: ['Ingress', 'Egress'] },
});
