import type { TypeMeta } from '@kubernetes-models/base';
import { retentionConfig } from '@xs2a/runtime/config';
import type { ICronJob } from 'kubernetes-models/batch/v1/CronJob';
import { labels } from './labels.js';
import { networkPolicy } from './network-policy.js';
import { containerSecurity, image, podSecurity, serviceAccount, volumeMounts, volumes } from './pod.js';
import { fromConfigMap, fromOptionalSecret, fromSecretFile } from './settings.js';

/**
 * The settings for master keys, which are optional in the secret. If they are present, the command can decrypt
 * personal data.
 */
const masterKeys = ['PAYMENTS', 'CONSENTS'].flatMap((service) =>
  ['MASTER_KEYS', 'MASTER_KEYS_KMS_URL', 'MASTER_KEYS_KMS_TOKEN'].map((name) => `${service}_${name}`),
);

/**
 * `doctor` as a suspended CronJob. `kubectl create job --from=cronjob/doctor …` runs it once; a bank that wants it
 * to run every hour sets `suspend: false`.
 */
const doctor = (): ICronJob => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'doctor', labels: labels('operator') },
  spec: {
    suspend: true,
    schedule: '17 * * * *',
    concurrencyPolicy: 'Forbid',
    jobTemplate: {
      spec: {
        backoffLimit: 0,
        ttlSecondsAfterFinished: 86_400,
        template: {
          metadata: { labels: labels('operator') },
          spec: {
            serviceAccountName: 'operator',
            automountServiceAccountToken: false,
            enableServiceLinks: false,
            restartPolicy: 'Never',
            securityContext: podSecurity,
            containers: [
              {
                name: 'doctor',
                image: image('cli'),
                args: ['doctor'],
                env: [
                  fromSecretFile('DATABASE_URL', 'database-url'),
                  fromSecretFile('NATS_URL', 'nats-url'),
                  fromConfigMap('PROFILE_FILE', false),
                  fromConfigMap('SANDBOX', true),
                  ...Object.keys(retentionConfig).map((name) => fromConfigMap(name, true)),
                  ...masterKeys.map((name) =>
                    fromOptionalSecret(name, name.toLowerCase().replaceAll('_', '-'), 'xs2a-operator'),
                  ),
                  { name: 'BASE_URL', value: 'http://gateway:8080' },
                ],
                resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '512Mi' } },
                securityContext: containerSecurity,
                volumeMounts,
              },
            ],
            volumes: volumes('xs2a-operator'),
          },
        },
      },
    },
  },
});

/** The objects that run the operator's command: k8s/base/operator.yaml. */
export const operatorManifests = (): TypeMeta[] => [
  serviceAccount('operator', labels('operator')),
  doctor(),
  networkPolicy('operator'),
];
