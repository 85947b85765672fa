import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../../..');

/** Returns every file that git tracks or would track, relative to the repository root. */
export const repositoryFiles = (): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)))
    .sort();

export const readText = (file: string): string => readFileSync(join(root, file), 'utf8');

export interface Project {
  /** The package name without `@xs2a/`; the folder name may be shorter. */
  readonly name: string;
  /** One of apps, libs, clients, examples, tools or test. */
  readonly kind: string;
  readonly folder: string;
  readonly dependencies: readonly string[];
  readonly developmentDependencies: readonly string[];
}

/** Returns every workspace in the repository, read from its package.json. */
export const projects = (): Project[] =>
  ['apps', 'libs', 'clients', 'examples', 'tools', 'test'].flatMap((kind) =>
    readdirSync(join(root, kind))
      .map((name) => join(kind, name))
      // The folder may contain the build output of a deleted project.
      .filter((folder) => existsSync(join(root, folder, 'package.json')))
      .map((folder): Project => {
        const manifest = JSON.parse(readText(join(folder, 'package.json'))) as {
          name: string;
          dependencies?: Record<string, string>;
          devDependencies?: Record<string, string>;
        };
        return {
          name: manifest.name.replace('@xs2a/', ''),
          kind,
          folder,
          dependencies: Object.keys(manifest.dependencies ?? {}),
          developmentDependencies: Object.keys(manifest.devDependencies ?? {}),
        };
      }),
  );

/**
 * True if the project is built into an image of its own and deployed (deploy/Dockerfile). The operator command
 * runs from a checkout.
 */
export const isDeployed = ({ kind, name }: Project): boolean => kind === 'apps' && name !== 'operator-cli';

/** Returns the modules that a TypeScript text imports, as written. */
export const listImports = (source: string): string[] =>
  [
    ...source.matchAll(
      /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s+['"]([^'"]+)['"]|\bpackages\.resolve\('([^']+)'/g,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? match[4] ?? '');

export const isSpec = (file: string): boolean => /\.spec\.ts$|\/(?:testing|test-support)\//.test(file);
