import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { root } from '@xs2a/sandbox/layout';
import type { EnvironmentVariable } from './settings.js';

/** The parts of a manifest that tests check. */
export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly automountServiceAccountToken?: boolean;
  readonly spec: {
    readonly replicas?: number;
    readonly maxUnavailable?: number;
    readonly ttlSecondsAfterFinished?: number;
    readonly strategy?: { readonly rollingUpdate: { readonly maxUnavailable: number } };
    readonly template: { readonly spec: PodSpec };
    /** CronJobs have this property instead of `template`. */
    readonly jobTemplate?: { readonly spec: { readonly template: { readonly spec: PodSpec } } };
  };
}
export interface PodSpec {
  readonly serviceAccountName: string;
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: unknown;
  readonly topologySpreadConstraints?: readonly {
    readonly topologyKey: string;
    readonly whenUnsatisfiable: string;
  }[];
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly name: string; readonly secret?: Secret }[];
}
interface Secret {
  readonly secretName: string;
  readonly items?: readonly { readonly key: string }[];
}
interface Container {
  readonly image: string;
  readonly env?: readonly EnvironmentVariable[];
  readonly envFrom?: readonly { readonly secretRef: { readonly name: string } }[];
  readonly securityContext: unknown;
  readonly resources: {
    readonly requests: Readonly<Record<string, string>>;
    readonly limits: Readonly<Record<string, string>>;
  };
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly readinessProbe?: { readonly httpGet?: { readonly path: string } };
  readonly livenessProbe?: { readonly httpGet: { readonly path: string } };
}

export interface Kustomization {
  readonly kind: string;
  readonly namespace?: string;
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly configMapGenerator?: readonly {
    readonly name: string;
    readonly envs?: readonly string[];
    readonly literals?: readonly string[];
    readonly options?: { readonly disableNameSuffixHash?: boolean };
  }[];
  readonly secretGenerator?: readonly {
    readonly name: string;
    readonly files: readonly string[];
    readonly options?: { readonly disableNameSuffixHash?: boolean };
  }[];
  readonly replicas?: readonly { readonly name: string; readonly count: number }[];
  readonly patches?: readonly {
    readonly target?: { readonly kind: string; readonly labelSelector?: string };
    readonly patch?: string;
  }[];
}

const k8s = join(root, 'k8s');
export const readText = (file: string): string => readFileSync(join(k8s, file), 'utf8');
export const readKustomization = (folder: string): Kustomization =>
  parse(readText(join(folder, 'kustomization.yaml'))) as Kustomization;

const readManifests = (file: string): Manifest[] =>
  parseAllDocuments(readText(file)).map((document) => document.toJS() as Manifest);

/** Returns the manifests that a folder's kustomization lists directly, without those of other folders. */
export const manifestsIn = (folder: string): Manifest[] =>
  (readKustomization(folder).resources ?? [])
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => readManifests(join(folder, file)));

export const base = manifestsIn('base');
export const overlays = readdirSync(join(k8s, 'overlays')).filter((name) =>
  existsSync(join(k8s, 'overlays', name, 'kustomization.yaml')),
);

export const named = (kind: string, name: string): Manifest => {
  const found = base.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (found === undefined) throw new Error(`k8s/base has no ${kind} ${name}`);
  return found;
};

/** Returns all objects that start pods, with their pod specs. */
export const podsOf = (manifests: readonly Manifest[]): readonly (readonly [string, PodSpec])[] =>
  manifests
    .filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job', 'CronJob'].includes(kind))
    .map(({ kind, metadata, spec }) => [
      `${kind} ${metadata.name}`,
      (spec.jobTemplate?.spec ?? spec).template.spec,
    ]);

/** Returns the content of a generated ConfigMap in a folder: kustomize merges an overlay's values over the base's. */
export const configMapData = (folder: string, name: string): Readonly<Record<string, string>> => {
  const generator = readKustomization(folder).configMapGenerator?.find((one) => one.name === name);
  const lines = [
    ...(generator?.envs ?? []).flatMap((file) => readText(join(folder, file)).split('\n')),
    ...(generator?.literals ?? []),
  ].filter((line) => line !== '' && !line.startsWith('#'));
  const own = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
  return folder === 'base' ? own : { ...configMapData('base', name), ...own };
};
