import type { TypeMeta } from '@kubernetes-models/base';
import type { IJob } from 'kubernetes-models/batch/v1/Job';
import { servicesWithTables } from '@xs2a/sandbox/services/service-table';
import { labels } from './labels.js';
import { networkPolicy } from './network-policy.js';
import { containerSecurity, image, podSecurity, serviceAccount, volumeMounts, volumes } from './pod.js';
import { type EnvironmentVariable, fromConfigMap, fromSecretFile } from './settings.js';

/**
 * The name of the jobs' ConfigMap and secret. It does not depend on the content: a job is immutable, so it must
 * not refer to a name that changes within a release.
 */
export const migrationNames = 'xs2a-migrations';

interface Job {
  readonly name: string;
  /** The app whose image contains the program. */
  readonly app: string;
  readonly program: 'migrate' | 'migrate-nats';
  /** The network policy of its pods. */
  readonly policy: 'migration' | 'migration-nats';
  /** The only key of the secret that the job reads. */
  readonly secretKey: 'nats-url' | 'database-url';
  readonly env: EnvironmentVariable[];
}

const jobs: readonly Job[] = [
  // Creates the event streams and key-value buckets of all services; nothing else uses this NATS user.
  {
    name: 'migrate-nats',
    app: 'payments',
    program: 'migrate-nats',
    policy: 'migration-nats',
    secretKey: 'nats-url',
    env: [
      fromConfigMap('SANDBOX', false, migrationNames),
      fromSecretFile('MIGRATION_NATS_URL', 'nats-url'),
      fromConfigMap('PAYMENTS_STREAM_MAX_MB', false, migrationNames),
      fromConfigMap('CONSENTS_STREAM_MAX_MB', false, migrationNames),
    ],
  },
  // The role that owns the schemas. Only this job and the operator's command use it.
  ...servicesWithTables.map((app): Job => ({
    name: `migrate-${app}`,
    app,
    program: 'migrate',
    policy: 'migration',
    secretKey: 'database-url',
    env: [
      fromConfigMap('SANDBOX', false, migrationNames),
      fromSecretFile('MIGRATION_DATABASE_URL', 'database-url'),
    ],
  })),
];

const manifest = ({ name, app, program, policy, secretKey, env }: Job): IJob => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  // An overlay appends the release to the name (k8s/components/release): a job is immutable, so each release has separate jobs.
  metadata: { name, labels: labels(policy) },
  spec: {
    backoffLimit: 10,
    ttlSecondsAfterFinished: 3600,
    template: {
      metadata: { labels: labels(policy) },
      spec: {
        serviceAccountName: 'migration',
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        restartPolicy: 'OnFailure',
        securityContext: podSecurity,
        containers: [
          {
            name: 'migrate',
            image: image(app),
            command: ['node', `apps/${app}/dist/${program}.js`],
            env,
            resources: { requests: { cpu: '50m', memory: '96Mi' }, limits: { memory: '256Mi' } },
            securityContext: containerSecurity,
            volumeMounts,
          },
        ],
        volumes: volumes(migrationNames, [secretKey]),
      },
    },
  },
});

/** The jobs of a release: k8s/base/migrations.yaml. */
export const migrationManifests = (): TypeMeta[] => [
  serviceAccount('migration', labels('migration')),
  ...jobs.map(manifest),
  networkPolicy('migration'),
  networkPolicy('migration-nats'),
];
