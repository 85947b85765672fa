import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { root } from '@xs2a/sandbox/layout';

export const readComponent = (file: string): string =>
  readFileSync(join(root, 'k8s/components', file), 'utf8');

/** A Kubernetes object or a part of one, with the fields that tests read. */
export interface Fields {
  readonly [name: string]: Fields;
}
export interface KubernetesObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Fields;
}

export const readObjects = (file: string): KubernetesObject[] =>
  parseAllDocuments(readComponent(file)).map((document) => document.toJS() as KubernetesObject);

export const findObject = (file: string, kind: string, name?: string): KubernetesObject => {
  const found = readObjects(file).find(
    (object) => object.kind === kind && (name === undefined || object.metadata.name === name),
  );
  if (found === undefined) throw new Error(`${file} has no ${kind} ${name ?? ''}`);
  return found;
};

/** Returns the settings that a component adds to every service. */
export const readSettings = (component: string): Readonly<Record<string, string>> => {
  const { configMapGenerator = [] } = parse(readComponent(`${component}/kustomization.yaml`)) as {
    readonly configMapGenerator?: readonly { readonly name: string; readonly literals?: readonly string[] }[];
  };
  const literals = configMapGenerator.find(({ name }) => name === 'xs2a')?.literals ?? [];
  return Object.fromEntries(literals.map((literal) => literal.split('=') as [string, string]));
};
