// Makes of a service the few files that it starts from (docs/adr/0025): its own code in dist/main.js, with a source map, and
// the packages it uses in dist/bundle/packages.js, without one: reading that map would take longer than loading the packages.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { compile } from './compile.mjs';

/** Loaded as they are: of oidc-provider, auth replaces one file while it is loaded. */
const unbundled = /^oidc-provider(\/|$)/;
const isPackage = /^[^./]/;

/** Our sources: TypeScript that calls its neighbours `.js`. */
const sources = {
  name: 'sources',
  resolveId: (name, importer) =>
    importer?.endsWith('.ts') && /^\..*\.js$/.test(name)
      ? join(dirname(importer), name.replace(/\.js$/, '.ts'))
      : undefined,
  transform: {
    filter: { id: /\.ts$/ },
    handler: async (_, file) => ({ ...(await compile(file)), moduleType: 'js' }),
  },
};

/** What is not installed is asked for at run time, where those who name it expect that it may be missing. */
const optional = {
  name: 'optional',
  async resolveId(name, importer, options) {
    if (importer === undefined || !isPackage.test(name)) return undefined;
    return (
      (await this.resolve(name, importer, { ...options, skipSelf: true })) ?? { id: name, external: true }
    );
  },
};

export const bundle = async (main) => {
  const service = await rolldown({
    input: main,
    platform: 'node',
    external: unbundled,
    plugins: [sources, optional],
    resolve: { conditionNames: ['source', 'node'] },
    // What Node would load is loaded, in its order.
    treeshake: false,
    // swc's metadata of decorators asks for types at run time, to find that they are none.
    checks: { importIsUndefined: false },
  });
  try {
    await service.write({
      dir: 'dist',
      chunkFileNames: 'bundle/[name].js',
      sourcemap: true,
      sourcemapExcludeSources: true,
      codeSplitting: { groups: [{ name: 'packages', test: /\/node_modules\/(?!@xs2a\/)/ }] },
    });
  } finally {
    await service.close();
  }
  const packages = 'dist/bundle/packages.js';
  await rm(`${packages}.map`);
  const code = await readFile(packages, 'utf8');
  await writeFile(packages, code.replace(/\/\/# sourceMappingURL=.*\s*$/, ''));
};
