// The packages of node_modules in a program: those in the bundle, and those that it loads at run time.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

const inPackages = /\/node_modules\/(?!.*\/node_modules\/)(?!@xs2a\/)((?:@[^/]+\/)?[^/]+)\//;

const describe = async (root, folder) => {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const { name, version } = manifest;
  // Old packages have a list or an object.
  const license = manifest.license ?? manifest.licenses?.[0];
  return {
    name,
    version,
    license: typeof license === 'object' ? license.type : license,
    path: relative(root, folder),
  };
};

/** The packages of bundled modules, by their files; each once. */
export const packagesOfModules = async (root, modules) => {
  const folders = new Set();
  for (const module of modules) {
    const [found] = inPackages.exec(module) ?? [];
    if (found !== undefined) folders.add(module.slice(0, module.lastIndexOf(found) + found.length - 1));
  }
  return Promise.all([...folders].sort().map((folder) => describe(root, folder)));
};

/** The packages that an app's bundles contain and load, as recorded next to them. */
export const packagesOf = async (dist) => {
  const folder = join(dist, 'bundle');
  const lists = (await readdir(folder)).filter((file) => file.endsWith('-packages.json'));
  const read = await Promise.all(
    lists.map(async (file) => JSON.parse(await readFile(join(folder, file), 'utf8'))),
  );
  const byPath = new Map(read.flatMap(({ packages }) => packages.map((one) => [one.path, one])));
  return { packages: [...byPath.values()], external: [...new Set(read.flatMap(({ external }) => external))] };
};

/** Packages by name with all their dependencies, each where Node finds it. */
export const unbundledPackages = async (root, names) => {
  const found = new Map();
  const visit = async (name, from) => {
    for (let folder = from; ; folder = dirname(folder)) {
      const place = join(folder, 'node_modules', name);
      if (existsSync(join(place, 'package.json'))) {
        if (found.has(place)) return;
        found.set(place, await describe(root, place));
        const { dependencies = {} } = JSON.parse(await readFile(join(place, 'package.json'), 'utf8'));
        for (const dependency of Object.keys(dependencies)) await visit(dependency, place);
        return;
      }
      if (folder === root) throw new Error(`${name} is not installed, and ${from} depends on it`);
    }
  };
  for (const name of names) await visit(name, root);
  return [...found.values()];
};
