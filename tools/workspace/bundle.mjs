// Bundles a program into the few files that it needs to start (docs/adr/0001). Its own code is written to
// dist/<program>.js with a source map. The packages it uses are written to dist/bundle/<program>-packages.js
// without one, because reading that map would take longer than loading the packages. OpenTelemetry's SDK is in a
// file of its own, dist/bundle/<program>-tracing.js, which a service loads only if tracing is on. The programs of an
// app share no files, so main.js does not load code that only migrate.js needs.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { compile } from './compile.mjs';

const root = resolve(import.meta.dirname, '../..');

/** Not bundled, because auth replaces one of oidc-provider's files while it is being loaded. */
const unbundled = /^oidc-provider(\/|$)/;
const isPackage = /^[^./]/;
/** The chunks of packages, each with the modules that belong to it. A package that both need is in the first. */
const chunksOfPackages = {
  packages: /\/node_modules\/(?!@xs2a\/|@opentelemetry\/(?!api\/))/,
  tracing: /\/node_modules\/@opentelemetry\/(?!api\/)/,
};

/** A file of a package that a program reads: `createRequire(import.meta.url)` gives it the path at run time. */
const readFileOfPackage = /\bpackages\.resolve\('([^']+)'\)/g;

/** Resolves imports: our sources are TypeScript files that import other files as `.js`. */
const sources = (read) => ({
  name: 'sources',
  resolveId: (name, importer) =>
    importer?.endsWith('.ts') && /^\..*\.js$/.test(name)
      ? join(dirname(importer), name.replace(/\.js$/, '.ts'))
      : undefined,
  transform: {
    filter: { id: /\.ts$/ },
    handler: async (text, file) => {
      for (const [, file] of text.matchAll(readFileOfPackage)) read.add(file);
      return { ...(await compile(file)), moduleType: 'js' };
    },
  },
});

/** A package that is not installed is required at run time; the importing code handles its absence. */
const optional = {
  name: 'optional',
  async resolveId(name, importer, options) {
    if (importer === undefined || !isPackage.test(name)) return undefined;
    return (
      (await this.resolve(name, importer, { ...options, skipSelf: true })) ?? { id: name, external: true }
    );
  },
};

const inPackages = /\/node_modules\/(?!.*\/node_modules\/)(?!@xs2a\/)((?:@[^/]+\/)?[^/]+)\//;

/** Returns the folders of the packages to which the bundled modules belong, relative to the root, each once. */
const foldersOf = (modules) => {
  const folders = modules.flatMap((module) => {
    const [found] = inPackages.exec(module) ?? [];
    return found === undefined ? [] : [module.slice(0, module.lastIndexOf(found) + found.length - 1)];
  });
  return [...new Set(folders)].sort().map((folder) => relative(root, folder));
};

const withoutMap = async (file) => {
  await rm(`${file}.map`);
  const code = await readFile(file, 'utf8');
  await writeFile(file, code.replace(/\/\/# sourceMappingURL=.*\s*$/, ''));
};

/**
 * Bundles the program src/<program>.ts. `ofSeveralApps`: true for the operator command. Packages needed only by a
 * dynamic import are bundled with the imported module, because each run of the command is a new process that needs
 * few of them. Classes keep their names, because migrations are recorded under them and two apps have migrations
 * with the same name.
 */
export const bundle = async (program, { ofSeveralApps = false } = {}) => {
  const read = new Set();
  const bundled = await rolldown({
    input: { [program]: `src/${program}.ts` },
    platform: 'node',
    external: unbundled,
    plugins: [sources(read), optional],
    resolve: { conditionNames: ['source', 'node'] },
    // The files are loaded in the same order as in Node.
    treeshake: false,
    // swc's decorator metadata refers to types that do not exist at run time.
    checks: { importIsUndefined: false },
  });
  let chunks;
  try {
    const { output } = await bundled.write({
      dir: 'dist',
      keepNames: ofSeveralApps,
      chunkFileNames: `bundle/${program}-[name].js`,
      sourcemap: true,
      sourcemapExcludeSources: true,
      codeSplitting: {
        groups: Object.entries(chunksOfPackages).map(([name, test]) => ({
          name,
          test,
          ...(ofSeveralApps ? { tags: ['$initial'] } : {}),
        })),
      },
    });
    chunks = output.filter(({ type }) => type === 'chunk');
  } finally {
    await bundled.close();
  }
  // Read by src/image, which lists the packages in the image's bill of materials.
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds);
  const imported = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  await writeFile(
    `dist/bundle/${program}-packages.json`,
    JSON.stringify({
      packages: foldersOf(modules),
      external: imported.some((name) => unbundled.test(name)) ? ['oidc-provider'] : [],
      read: [...read],
    }),
  );
  const ofPackages = new Set(Object.keys(chunksOfPackages).map((name) => `bundle/${program}-${name}.js`));
  for (const { fileName } of chunks) if (ofPackages.has(fileName)) await withoutMap(join('dist', fileName));
};
