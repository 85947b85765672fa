import type { IPodSecurityContext } from 'kubernetes-models/v1/PodSecurityContext';
import type { ISecurityContext } from 'kubernetes-models/v1/SecurityContext';
import type { IServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import type { IVolume } from 'kubernetes-models/v1/Volume';
import type { IVolumeMount } from 'kubernetes-models/v1/VolumeMount';
import type { Labels } from './labels.js';
import { secretFolder } from './settings.js';

/** The tag of locally built images; an overlay sets the release tag. */
const unreleased = 'dev';
export const image = (app: string): string => `xs2a/${app}:${unreleased}`;

/** The security context that Pod Security `restricted` requires, with the images' user. */
export const podSecurity: IPodSecurityContext = {
  runAsNonRoot: true,
  runAsUser: 1000,
  runAsGroup: 1000,
  fsGroup: 1000,
  seccompProfile: { type: 'RuntimeDefault' },
};

export const containerSecurity: ISecurityContext = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

export const volumeMounts: IVolumeMount[] = [
  { name: 'secrets', mountPath: secretFolder, readOnly: true },
  { name: 'tmp', mountPath: '/tmp' },
];

/** A pod mounts only those keys of a shared secret that it reads. */
export const volumes = (secretName: string, keys: readonly string[] = []): IVolume[] => [
  {
    name: 'secrets',
    secret: {
      secretName,
      // Readable by the pod's user and group.
      defaultMode: 0o440,
      items: keys.length === 0 ? undefined : keys.map((key) => ({ key, path: key })),
    },
  },
  { name: 'tmp', emptyDir: { sizeLimit: '64Mi' } },
];

export const serviceAccount = (name: string, labels: Labels): IServiceAccount => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, labels },
  automountServiceAccountToken: false,
});
