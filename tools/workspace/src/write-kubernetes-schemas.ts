// Writes generated/kubernetes-<version>.json: the schemas against which `npm test` validates the manifests of
// k8s/. They are Kubernetes' own (Apache-2.0), taken from the PyPI package kubernetes-validate (Apache-2.0),
// limited to the kinds below and without descriptions; an unknown field is an error. Requires python3 with
// pip. Run it once for each new version:   npm run build && node
// tools/workspace/dist/write-kubernetes-schemas.js
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './sources.js';

const source = 'kubernetes-validate==1.37.0';
const versions = ['1.34', '1.35', '1.36', '1.37'];
const kinds = [
  'v1 ConfigMap',
  'v1 Namespace',
  'v1 PersistentVolumeClaim',
  'v1 Pod',
  'v1 Secret',
  'v1 Service',
  'v1 ServiceAccount',
  'apps/v1 DaemonSet',
  'apps/v1 Deployment',
  'apps/v1 StatefulSet',
  'autoscaling/v2 HorizontalPodAutoscaler',
  'batch/v1 CronJob',
  'batch/v1 Job',
  'networking.k8s.io/v1 Ingress',
  'networking.k8s.io/v1 NetworkPolicy',
  'policy/v1 PodDisruptionBudget',
  'rbac.authorization.k8s.io/v1 Role',
  'rbac.authorization.k8s.io/v1 RoleBinding',
];
const left = new Set(['description', 'status']);
const prefix = '#/$defs/';

/**
 * Returns a schema without descriptions, without fields that only the cluster writes, and without null, because a
 * manifest omits fields that it does not set.
 */
const toCompact = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(toCompact);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).filter(
    ([name]) => name !== 'description' && !name.startsWith('x-kubernetes'),
  );
  return Object.fromEntries(
    members.map(([name, value]) => {
      if (name === 'type' && Array.isArray(value))
        return [name, value.find((type: unknown) => type !== 'null')];
      if (name !== 'properties') return [name, toCompact(value)];
      const described = Object.entries(value as object).filter(([field]) => !left.has(field));
      return [name, Object.fromEntries(described.map(([field, inner]) => [field, toCompact(inner)]))];
    }),
  );
};

const listReferences = (schema: unknown): string[] =>
  [...JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].map(([, name = '']) => name);

interface Schema {
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
}
type Schemas = Readonly<Record<string, Schema>>;

const selectSchemas = (all: Schemas) => {
  const roots = Object.fromEntries(
    Object.entries(all).flatMap(([name, schema]) =>
      (schema['x-kubernetes-group-version-kind'] ?? [])
        .map(({ group, version, kind }) => `${group === '' ? '' : `${group}/`}${version} ${kind}`)
        .filter((kind) => kinds.includes(kind))
        .map((kind) => [kind, { $ref: `${prefix}${name}` }]),
    ),
  );
  const missing = kinds.filter((kind) => !(kind in roots));
  if (missing.length > 0) throw new Error(`no schema for ${missing.join(', ')}`);
  const selected: Record<string, unknown> = {};
  const waiting = listReferences(roots);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (name in selected) continue;
    selected[name] = toCompact(all[name]);
    waiting.push(...listReferences(selected[name]));
  }
  return { roots, selected };
};

/** Writes one definition per line, sorted by name, so that a diff shows what changed in a new version. */
const toLines = (record: Readonly<Record<string, unknown>>): string =>
  Object.keys(record)
    .sort()
    .map((name) => `${JSON.stringify(name)}: ${JSON.stringify(record[name])}`)
    .join(',\n');

const folder = mkdtempSync(join(tmpdir(), 'kubernetes-schemas-'));
try {
  execFileSync('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', folder, source], {
    stdio: 'inherit',
  });
  const wheel = readdirSync(folder).find((file) => file.endsWith('.whl'));
  if (wheel === undefined) throw new Error(`pip downloaded no ${source}`);
  execFileSync('python3', ['-m', 'zipfile', '-e', join(folder, wheel), folder]);
  const written = join(root, 'tools/workspace/generated');
  mkdirSync(written, { recursive: true });
  for (const version of versions) {
    const file = `kubernetes_validate/kubernetes-json-schema/v${version}.0-local-strict/_definitions.json`;
    const { $defs } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { readonly $defs: Schemas };
    const { roots, selected } = selectSchemas($defs);
    const comment = `Made by tools/workspace/src/write-kubernetes-schemas.ts from ${source}. Kubernetes ${version}, Apache-2.0.`;
    writeFileSync(
      join(written, `kubernetes-${version}.json`),
      `{"$comment": ${JSON.stringify(comment)},\n"kinds": {\n${toLines(roots)}},\n"$defs": {\n${toLines(selected)}}}\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
