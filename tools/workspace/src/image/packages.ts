// Lists the node_modules packages of a program: those in its bundle and those that it loads at run time.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '../sources.js';

export interface Package {
  readonly name: string;
  readonly version: string;
  /** An SPDX identifier or expression; undefined if the package states none. */
  readonly license: string | undefined;
  /** The folder of the package, relative to the root. */
  readonly path: string;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string | { readonly type: string };
  /** The field that old packages have instead of `license`. */
  readonly licenses?: readonly { readonly type: string }[];
  readonly dependencies?: Readonly<Record<string, string>>;
}

const readManifest = async (path: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(root, path, 'package.json'), 'utf8')) as Manifest;

const describe = async (path: string): Promise<Package> => {
  const { name, version, license: first, licenses } = await readManifest(path);
  const license = first ?? licenses?.[0];
  return { name, version, license: typeof license === 'object' ? license.type : license, path };
};

/** What the bundles of an app contain and need, as recorded next to them. */
interface Bundled {
  readonly packages: readonly Package[];
  /** The names of the packages that they load. */
  readonly external: readonly string[];
  /** The files of packages that they read, such as `htmx.org/dist/htmx.min.js`. */
  readonly read: readonly string[];
}

/** Returns what an app's bundles contain and need. */
export const bundledPackages = async (dist: string): Promise<Bundled> => {
  const folder = join(dist, 'bundle');
  const lists = (await readdir(folder)).filter((file) => file.endsWith('-packages.json'));
  const read = await Promise.all(
    lists.map(
      async (file) =>
        JSON.parse(await readFile(join(folder, file), 'utf8')) as {
          readonly packages: readonly string[];
          readonly external: readonly string[];
          readonly read: readonly string[];
        },
    ),
  );
  const paths = new Set(read.flatMap(({ packages }) => packages));
  return {
    packages: await Promise.all([...paths].map(describe)),
    external: [...new Set(read.flatMap(({ external }) => external))],
    read: [...new Set(read.flatMap(({ read: files }) => files))],
  };
};

/** Returns the packages to which files belong, from `node_modules` of the root. */
export const packagesOf = async (files: readonly string[]): Promise<readonly Package[]> => {
  const names = files.flatMap((file) => /^(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  return Promise.all([...new Set(names)].map((name) => describe(join('node_modules', name))));
};

/** Returns the named packages with all their dependencies, each at the path where Node.js finds it. */
export const unbundledPackages = async (names: readonly string[]): Promise<readonly Package[]> => {
  const found = new Map<string, Package>();
  const visit = async (name: string, from: string): Promise<void> => {
    for (let folder = from; ; folder = dirname(folder)) {
      const path = join(folder, 'node_modules', name);
      if (existsSync(join(root, path, 'package.json'))) {
        if (found.has(path)) return;
        found.set(path, await describe(path));
        const { dependencies = {} } = await readManifest(path);
        for (const dependency of Object.keys(dependencies)) await visit(dependency, path);
        return;
      }
      if (folder === '.') throw new Error(`${name} is not installed, and ${from} depends on it`);
    }
  };
  for (const name of names) await visit(name, '.');
  return [...found.values()];
};
