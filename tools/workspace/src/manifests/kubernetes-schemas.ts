import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText, root } from '../sources.js';

const folder = 'tools/workspace/generated';
interface Schemas {
  readonly kinds: Readonly<Record<string, { readonly $ref: string }>>;
  readonly $defs: Readonly<Record<string, object>>;
}

/** The versions of Kubernetes that manifests are judged by, the oldest first. */
export const kubernetesVersions = readdirSync(join(root, folder))
  .flatMap((file) => /^kubernetes-(.+)\.json$/.exec(file)?.slice(1, 2) ?? [])
  .sort((a, b) => Number(a.split('.')[1]) - Number(b.split('.')[1]));

/**
 * What a version of Kubernetes says of an object of a kind (`apps/v1 Deployment`); undefined for a kind that is not its own.
 * The schemas are Kubernetes' own (`write-kubernetes-schemas.mjs`); a field that they do not know is an error.
 */
export class KubernetesSchemas {
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(readonly version: string) {
    const { kinds, $defs } = JSON.parse(readText(`${folder}/kubernetes-${version}.json`)) as Schemas;
    const ajv = new Ajv({ strict: false, allErrors: true });
    formats.default(ajv);
    for (const [kind, { $ref }] of Object.entries(kinds))
      this.validators.set(kind, ajv.compile({ $ref, $defs }));
  }

  listProblems(kind: string, object: unknown): string[] | undefined {
    const validate = this.validators.get(kind);
    if (validate === undefined) return undefined;
    validate(object);
    return (validate.errors ?? []).map(({ instancePath, message, params }) => {
      const field = 'additionalProperty' in params ? ` (${params['additionalProperty']})` : '';
      return `Kubernetes ${this.version}: ${instancePath} ${message}${field}`;
    });
  }
}
