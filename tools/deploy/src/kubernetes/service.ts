import type { TypeMeta } from '@kubernetes-models/base';
import type { ConfigSpec } from '@xs2a/runtime/config';
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IProbe } from 'kubernetes-models/v1/Probe';
import type { IService } from 'kubernetes-models/v1/Service';
import type { ITopologySpreadConstraint } from 'kubernetes-models/v1/TopologySpreadConstraint';
import type { ServiceName } from '@xs2a/sandbox/services/service-table';
import { healthPort, httpPort } from './flows.js';
import { labels, nameLabel } from './labels.js';
import { networkPolicy } from './network-policy.js';
import { containerSecurity, image, podSecurity, serviceAccount, volumeMounts, volumes } from './pod.js';
import { makeEnv } from './settings.js';

/**
 * The number of instances of each service. In settlement-worker and notifications, a lock in PostgreSQL selects
 * the one that works; the other takes over within 15 seconds.
 */
const replicas = 2;
/**
 * Memory use is 52 to 72 MB after a million requests and a garbage collection (docs/how-to/deploy.md, Sizes), and
 * higher before a collection.
 */
const resources = { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } };

/** The pod continues to accept requests until every sender knows that it is stopping. */
const untilNobodySends = { preStop: { sleep: { seconds: 5 } } };

const probe = (path: string, timing: IProbe): IProbe => ({ httpGet: { path, port: 'health' }, ...timing });

const container = (app: ServiceName, spec: ConfigSpec): IContainer => {
  const speaksHttp = 'PORT' in spec;
  return {
    name: app,
    image: image(app),
    ports: [
      ...(speaksHttp ? [{ name: 'http', containerPort: httpPort }] : []),
      { name: 'health', containerPort: healthPort },
    ],
    env: makeEnv(spec, `xs2a-${app}`),
    lifecycle: speaksHttp ? untilNobodySends : undefined,
    startupProbe: probe('/health/live', { periodSeconds: 2, failureThreshold: 30 }),
    livenessProbe: probe('/health/live', { periodSeconds: 10, timeoutSeconds: 3 }),
    readinessProbe: probe('/health/ready', { periodSeconds: 3, timeoutSeconds: 3 }),
    resources,
    securityContext: containerSecurity,
    volumeMounts,
  };
};

/** Spreads the instances of one release over nodes and, where capacity allows, over zones. */
const spread = (app: ServiceName): ITopologySpreadConstraint[] => {
  const one = {
    maxSkew: 1,
    labelSelector: { matchLabels: nameLabel(app) },
    matchLabelKeys: ['pod-template-hash'],
  };
  return [
    {
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'DoNotSchedule',
      nodeTaintsPolicy: 'Honor',
      ...one,
    },
    { topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway', ...one },
  ];
};

const deployment = (app: ServiceName, spec: ConfigSpec): IDeployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: app, labels: labels(app) },
  spec: {
    replicas,
    selector: { matchLabels: nameLabel(app) },
    strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    template: {
      metadata: { labels: labels(app) },
      spec: {
        serviceAccountName: app,
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        // A service drains for at most ten seconds after SIGTERM.
        terminationGracePeriodSeconds: 30,
        securityContext: podSecurity,
        topologySpreadConstraints: spread(app),
        containers: [container(app, spec)],
        volumes: volumes(`xs2a-${app}`),
      },
    },
  },
});

const service = (app: ServiceName, spec: ConfigSpec): IService => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: app, labels: labels(app) },
  spec: {
    selector: nameLabel(app),
    ports: [
      ...('PORT' in spec ? [{ name: 'http', port: httpPort, targetPort: 'http' }] : []),
      { name: 'health', port: healthPort, targetPort: 'health' },
    ],
  },
});

/**
 * A node drain may evict one instance at a time, and an unready one at any time, so the budget never blocks a
 * drain.
 */
const disruptionBudget = (app: ServiceName): IPodDisruptionBudget => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: app, labels: labels(app) },
  spec: {
    maxUnavailable: 1,
    unhealthyPodEvictionPolicy: 'AlwaysAllow',
    selector: { matchLabels: nameLabel(app) },
  },
});

/** Returns all manifests of one app: k8s/base/<app>.yaml. */
export const serviceManifests = (app: ServiceName, spec: ConfigSpec): TypeMeta[] => [
  serviceAccount(app, labels(app)),
  deployment(app, spec),
  service(app, spec),
  disruptionBudget(app),
  networkPolicy(app),
];
