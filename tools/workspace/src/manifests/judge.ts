import { parseAllDocuments } from 'yaml';
import { listCustomProblems } from './custom-resources.js';
import { KubernetesSchemas, kubernetesVersions } from './kubernetes-schemas.js';
import { listKustomizeProblems } from './kustomize-schema.js';

interface Named {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly name?: string };
}

/**
 * Validates manifests against the schemas of each Kubernetes version, of the operators' custom resources, and of
 * kustomize.
 */
export class ManifestJudge {
  private readonly versions = kubernetesVersions.map((version) => new KubernetesSchemas(version));

  /**
   * Returns the problems of an object, each with the object's kind and name. A kind without a schema also counts
   * as a problem.
   */
  async listProblems(object: object): Promise<string[]> {
    const { apiVersion = '', kind: bare = '', metadata } = object as Named;
    const kind = `${apiVersion} ${bare}`;
    const problems = apiVersion.startsWith('kustomize.config.k8s.io/')
      ? listKustomizeProblems(object)
      : ((await listCustomProblems(kind, object)) ?? this.listOwnProblems(kind, object));
    return problems.map((problem) => `${bare} ${metadata?.name ?? ''}: ${problem}`);
  }

  /** Returns the problems of all documents in a YAML text, including duplicate keys. */
  async listProblemsOf(text: string): Promise<string[]> {
    const problems = [];
    for (const document of parseAllDocuments(text)) {
      problems.push(...document.errors.map(({ message }) => message));
      const object = document.toJS() as object | null;
      if (object !== null) problems.push(...(await this.listProblems(object)));
    }
    return problems;
  }

  private listOwnProblems(kind: string, object: object): string[] {
    return this.versions.flatMap(
      (version) =>
        version.listProblems(kind, object) ?? [`Kubernetes ${version.version}: ${kind} is in no schema`],
    );
  }
}
