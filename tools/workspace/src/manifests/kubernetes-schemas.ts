import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText, root } from '../sources.js';

const folder = 'tools/workspace/generated';
interface Schemas {
  readonly kinds: Readonly<Record<string, { readonly $ref: string }>>;
  readonly $defs: Readonly<Record<string, object>>;
}

/** The Kubernetes versions that manifests are validated against, oldest first. */
export const kubernetesVersions = readdirSync(join(root, folder))
  .flatMap((file) => /^kubernetes-(.+)\.json$/.exec(file)?.slice(1, 2) ?? [])
  .sort((a, b) => Number(a.split('.')[1]) - Number(b.split('.')[1]));

/**
 * Finds the problems that a version of Kubernetes reports for an object of a kind (`apps/v1 Deployment`); the
 * result is undefined for an unknown kind. The schemas are Kubernetes' own (`write-kubernetes-schemas.ts`); an
 * unknown field is an error.
 */
export class KubernetesSchemas {
  private readonly ajv = new Ajv({ strict: false, allErrors: true });
  private readonly kinds: Schemas['kinds'];

  constructor(readonly version: string) {
    const { kinds, $defs } = JSON.parse(readText(`${folder}/kubernetes-${version}.json`)) as Schemas;
    formats.default(this.ajv);
    this.ajv.addSchema({ $id: version, $defs });
    this.kinds = kinds;
  }

  listProblems(kind: string, object: unknown): string[] | undefined {
    const place = this.kinds[kind];
    if (place === undefined) return undefined;
    const validate = this.ajv.getSchema(`${this.version}${place.$ref}`);
    if (validate === undefined) throw new Error(`${place.$ref} is no schema`);
    void validate(object);
    return (validate.errors ?? []).map(({ instancePath, message, params }) => {
      const field = 'additionalProperty' in params ? ` (${params['additionalProperty']})` : '';
      return `Kubernetes ${this.version}: ${instancePath} ${message}${field}`;
    });
  }
}
