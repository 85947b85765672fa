import { Scalar } from 'yaml';
import { secretFolder } from './settings.js';

/** The tag of images that were built here; an overlay names the release. */
const unreleased = 'dev';
export const image = (app: string): string => `xs2a/${app}:${unreleased}`;

/** What Pod Security `restricted` asks of a pod, as the user of the images. */
export const podSecurity = {
  runAsNonRoot: true,
  runAsUser: 1000,
  runAsGroup: 1000,
  fsGroup: 1000,
  seccompProfile: { type: 'RuntimeDefault' },
};

export const containerSecurity = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

export const volumeMounts = [
  { name: 'secrets', mountPath: secretFolder, readOnly: true },
  { name: 'tmp', mountPath: '/tmp' },
];

/** Readable to the user and the group of the pod; YAML of today writes it as a decimal number. */
const readableToGroup = (): Scalar => {
  const mode = new Scalar(0o440);
  mode.comment = ' 0440';
  return mode;
};

/** Of a secret that several pods share, a pod is given only the keys that it reads. */
export const volumes = (secretName: string, keys: readonly string[] = []): object[] => [
  {
    name: 'secrets',
    secret: {
      secretName,
      defaultMode: readableToGroup(),
      ...(keys.length === 0 ? {} : { items: keys.map((key) => ({ key, path: key })) }),
    },
  },
  { name: 'tmp', emptyDir: { sizeLimit: '64Mi' } },
];

export const serviceAccount = (name: string, labels: object): object => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, labels },
  automountServiceAccountToken: false,
});
