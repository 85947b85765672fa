import { describe, expect, it } from '@jest/globals';
import { dirname, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { readText, repositoryFiles } from '../sources.js';
import { ManifestJudge } from './judge.js';
import { kubernetesVersions } from './kubernetes-schemas.js';

const judge = new ManifestJudge();
const files = repositoryFiles().filter((file) => /^k8s\/.*\.ya?ml$/.test(file));
interface Kustomization {
  readonly resources?: readonly string[];
  readonly patches?: readonly { readonly path?: string }[];
}
const kustomizations = files
  .filter((file) => file.endsWith('/kustomization.yaml'))
  .map((file) => [dirname(file), parse(readText(file)) as Kustomization] as const);
const resources = kustomizations.flatMap(([folder, { resources: listed = [] }]) =>
  listed.map((file) => join(folder, file)).filter((file) => file.endsWith('.yaml')),
);
/** Partial objects, which become complete only when rendered, and Helm chart values. */
const partial = new Set(
  kustomizations.flatMap(([folder, { patches = [] }]) =>
    patches.flatMap(({ path }) => (path === undefined ? [] : [join(folder, path)])),
  ),
);
const isValues = (file: string): boolean => file.endsWith('/values.yaml');

const objects = files.flatMap((file) =>
  parseAllDocuments(readText(file)).map((document) => document.toJS() as { readonly kind: string } | null),
);
const firstOf = (kind: string): object => {
  const found = objects.find((object) => object?.kind === kind);
  if (found === undefined || found === null) throw new Error(`k8s/ has no ${kind}`);
  return found;
};
/** Validates an object after replacing one word in its text; `from` must occur in the text. */
const misspell = async (kind: string, from: string, to: string): Promise<string[]> => {
  const text = JSON.stringify(firstOf(kind));
  expect(text).toContain(`"${from}"`);
  return judge.listProblems(JSON.parse(text.replace(`"${from}"`, `"${to}"`)) as object);
};

describe('the manifests in k8s/ (docs/how-to/deploy.md)', () => {
  it('are validated against at least three Kubernetes versions', () => {
    expect(kubernetesVersions.length).toBeGreaterThanOrEqual(3);
  });

  it('are each listed in the kustomization of their folder', () => {
    const whole = files.filter((file) => !file.endsWith('/kustomization.yaml') && !isValues(file));
    expect(whole.filter((file) => !partial.has(file)).sort()).toEqual(resources.toSorted());
  });

  it.each(files.filter((file) => !partial.has(file) && !isValues(file)))(
    'are valid against every schema: %s',
    async (file) => {
      expect(await judge.listProblemsOf(readText(file))).toEqual([]);
    },
  );
});

describe('a misspelled field is refused', () => {
  it('by each Kubernetes version', async () => {
    const problems = await misspell('Deployment', 'terminationGracePeriodSeconds', 'terminationGraceSeconds');
    expect(problems).toHaveLength(kubernetesVersions.length);
    expect(problems[0]).toContain('spec must NOT have additional properties (terminationGraceSeconds)');
  });

  it('in a kustomization', async () => {
    expect(await misspell('Kustomization', 'resources', 'resource')).toEqual([
      expect.stringContaining('(resource)'),
    ]);
  });

  it('in a custom resource, including nested objects, but not in free-form fields', async () => {
    const certificate = {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { name: 'edge', labels: { any: 'thing' } },
      spec: { secretName: 'edge', issuerRef: { name: 'xs2a' }, privateKey: { rotationPolicy: 'Always' } },
    };
    expect(await judge.listProblems(certificate)).toEqual([]);
    const text = JSON.stringify(certificate).replace('rotationPolicy', 'rotatePolicy');
    expect(await judge.listProblems(JSON.parse(text) as object)).toEqual([
      'Certificate edge: /spec/privateKey/rotatePolicy is not a field of the schema',
    ]);
  });

  it('in the backup store, which is validated in parts', async () => {
    expect(await misspell('ObjectStore', 'destinationPath', 'destination')).not.toEqual([]);
    expect(await misspell('ObjectStore', 'retentionPolicy', 'retention')).toHaveLength(1);
  });

  it('as are a wrong value, a missing field, a duplicate key and a kind without a schema', async () => {
    expect(await misspell('Service', 'port', 'prt')).not.toEqual([]);
    const wrong = JSON.stringify(firstOf('Deployment')).replace('"replicas":2', '"replicas":"two"');
    expect(await judge.listProblems(JSON.parse(wrong) as object)).toHaveLength(kubernetesVersions.length);
    expect(await judge.listProblemsOf('apiVersion: v1\nkind: ConfigMap\nkind: Secret\n')).not.toEqual([]);
    expect(await judge.listProblemsOf('apiVersion: example.org/v1\nkind: Thing\n')).not.toEqual([]);
  });
});
