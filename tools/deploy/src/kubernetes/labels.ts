import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@xs2a/sandbox/layout';
import type { Pod } from './flows.js';

export type Labels = Readonly<Record<string, string>>;

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
};

/** The component label of pods that are not services. */
const components: Readonly<Partial<Record<Pod, string>>> = {
  migration: 'migration',
  'migration-nats': 'migration',
  operator: 'operator',
  postgres: 'database',
  nats: 'message-broker',
};

/** The label that selects all our pods. */
export const partOf: Labels = { 'app.kubernetes.io/part-of': 'xs2a' };
export const nameLabel = (name: string): Labels => ({ 'app.kubernetes.io/name': name });

/** The labels of an object that does not belong to a single pod. */
export const commonLabels: Labels = {
  ...partOf,
  'app.kubernetes.io/version': version,
  'app.kubernetes.io/managed-by': 'kustomize',
};

/** The labels of a pod and of the objects that belong to it. */
export const labels = (pod: Pod): Labels => ({
  ...nameLabel(pod),
  ...commonLabels,
  'app.kubernetes.io/component': components[pod] ?? 'service',
});
