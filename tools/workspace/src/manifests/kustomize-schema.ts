import { Ajv } from 'ajv';

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const labels = { type: 'object', additionalProperties: text };
const record = (properties: Readonly<Record<string, object>>, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const options = record({
  disableNameSuffixHash: { type: 'boolean' },
  labels,
  annotations: labels,
  immutable: { type: 'boolean' },
});
const generator = record(
  {
    name: text,
    namespace: text,
    type: text,
    behavior: { enum: ['create', 'replace', 'merge'] },
    files: texts,
    literals: texts,
    envs: texts,
    options,
  },
  ['name'],
);
const target = record({
  group: text,
  version: text,
  kind: text,
  name: text,
  namespace: text,
  labelSelector: text,
  annotationSelector: text,
});
const list = (items: object) => ({ type: 'array', items });
const place = record(
  {
    select: target,
    reject: list(target),
    fieldPaths: texts,
    options: record({ delimiter: text, index: { type: 'integer' }, create: { type: 'boolean' } }),
  },
  ['select', 'fieldPaths'],
);

/** The kustomize fields that k8s/ uses. kustomize itself rejects unknown fields. */
const schema = record(
  {
    apiVersion: { enum: ['kustomize.config.k8s.io/v1beta1', 'kustomize.config.k8s.io/v1alpha1'] },
    kind: { enum: ['Kustomization', 'Component'] },
    namespace: text,
    nameSuffix: text,
    resources: texts,
    components: texts,
    images: list(record({ name: text, newName: text, newTag: text, digest: text }, ['name'])),
    replicas: list(record({ name: text, count: { type: 'integer', minimum: 0 } }, ['name', 'count'])),
    labels: list(
      record(
        {
          pairs: labels,
          includeSelectors: { type: 'boolean' },
          includeTemplates: { type: 'boolean' },
        },
        ['pairs'],
      ),
    ),
    configMapGenerator: list(generator),
    secretGenerator: list(generator),
    generatorOptions: options,
    patches: list({
      ...record({
        target,
        patch: text,
        path: text,
        options: record({ allowNameChange: { type: 'boolean' } }),
      }),
      oneOf: [{ required: ['patch'] }, { required: ['path'] }],
    }),
    configurations: texts,
    replacements: list(
      record({
        path: text,
        source: record({ kind: text, name: text, fieldPath: text, options: { type: 'object' } }),
        targets: list(place),
      }),
    ),
  },
  ['apiVersion', 'kind'],
);
const validate = new Ajv({ allErrors: true }).compile(schema);

export const listKustomizeProblems = (object: unknown): string[] => {
  validate(object);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `kustomize: ${instancePath} ${message}${'additionalProperty' in params ? ` (${params['additionalProperty']})` : ''}`,
  );
};
