import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { servicesWithTables } from '@xs2a/sandbox/services/service-table';
import { migrationNames } from './migrations.js';
import { base, configMapData, named, overlays, readKustomization, readText } from './read-manifests.js';

interface Replacement {
  readonly source: unknown;
  readonly targets: readonly {
    readonly select: { readonly kind: string };
    readonly fieldPaths: readonly string[];
    readonly options: { readonly delimiter: string; readonly index: number };
  }[];
}

/** Applies a kustomize replacement to a value: replaces the part at the index, or adds a part after the last one. */
const replaced = (
  value: string,
  part: string,
  { delimiter, index }: Replacement['targets'][number]['options'],
) => value.split(delimiter).toSpliced(index, 1, part).join(delimiter);

const [release] = (
  parse(readText('components/release/kustomization.yaml')) as { replacements: Replacement[] }
).replacements;
const targetsOf = (kind: string, path: string) =>
  (release?.targets ?? []).filter(
    ({ select, fieldPaths }) => select.kind === kind && fieldPaths.includes(path),
  );
const imagePath = 'spec.template.spec.containers.*.image';
const jobs = base.filter(({ kind }) => kind === 'Job');

/** Returns the jobs and images as applied for a release. */
const applied = (version: string) => {
  const [name] = targetsOf('Job', 'metadata.name');
  const [image] = targetsOf('Job', imagePath);
  if (name === undefined || image === undefined) throw new Error('the release is not put into jobs');
  return {
    names: jobs.map(({ metadata }) => replaced(metadata.name, version, name.options)),
    images: jobs.map(({ spec }) =>
      replaced(spec.template.spec.containers[0]?.image ?? '', version, image.options),
    ),
  };
};

describe('applying a second release over the first (docs/how-to/deploy.md)', () => {
  it('runs a job for each schema and one for the streams, each removed an hour after it ends', () => {
    expect(jobs.map(({ metadata }) => metadata.name).sort()).toEqual(
      ['migrate-nats', ...servicesWithTables.map((app) => `migrate-${app}`)].sort(),
    );
    expect(new Set(jobs.map(({ spec }) => spec.ttlSecondsAfterFinished))).toEqual(new Set([3600]));
  });

  it('gives its jobs new names, because a job is immutable', () => {
    const [first, second] = [applied('1.4.0'), applied('1.5.0')];
    expect(first.names).toContain('migrate-settlement-worker-1.4.0');
    expect(first.names.filter((name) => second.names.includes(name))).toEqual([]);
    expect(second.images).toContain('xs2a/payments:1.5.0');
    for (const name of second.names) expect(name.length).toBeLessThanOrEqual(63);
  });

  it('does not change a job within a release: the names that it refers to contain no hash', () => {
    for (const { metadata } of jobs) {
      const { containers, volumes } = named('Job', metadata.name).spec.template.spec;
      const referred = [
        ...volumes.map(({ secret }) => secret?.secretName),
        ...(containers[0]?.env ?? []).map(({ valueFrom }) => valueFrom?.configMapKeyRef?.name),
      ].filter((name) => name !== undefined);
      expect(new Set(referred)).toEqual(new Set([migrationNames]));
    }
    for (const folder of ['base', 'overlays/sandbox']) {
      const generator = readKustomization(folder).configMapGenerator?.find(
        ({ name }) => name === migrationNames,
      );
      expect(generator?.options?.disableNameSuffixHash).toBe(true);
    }
  });

  it('passes the release to every deployment and to the operator command', () => {
    const path = 'spec.jobTemplate.spec.template.spec.containers.*.image';
    expect(targetsOf('CronJob', path).map(({ options }) => options)).toEqual([{ delimiter: ':', index: 1 }]);
    const [image] = targetsOf('Deployment', imagePath);
    for (const { spec } of base.filter(({ kind }) => kind === 'Deployment'))
      expect(
        replaced(spec.template.spec.containers[0]?.image ?? '', '1.5.0', image?.options as never),
      ).toMatch(/^xs2a\/[a-z-]+:1\.5\.0$/);
  });

  it.each(overlays)('sets the release of %s in one place', (overlay) => {
    const folder = `overlays/${overlay}`;
    expect(readKustomization(folder).components?.at(-1)).toBe('../../components/release');
    expect(configMapData(folder, 'release')['version']).toMatch(/^[\w.-]+$/);
  });
});
