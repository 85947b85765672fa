// Bundles a program into the few files that it needs to start (docs/adr/0001). Its own code is written to
// dist/<program>.js with a source map. The packages it uses are written to dist/bundle/<program>-packages.js
// without one, because reading that map would take longer than loading the packages. OpenTelemetry's SDK and
// class-validator have files of their own (<program>-tracing.js and -validation.js), because not every service loads
// them. The programs of an app share no files, so main.js does not load code that only migrate.js needs. The bundled
// files are ASCII: V8 keeps the text of each file that it loads, and if one character of a file is not ASCII, each
// character of that file takes two bytes.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { compile } from './compile.mjs';

const root = resolve(import.meta.dirname, '../..');

/** Not bundled, because auth replaces one of oidc-provider's files while it is being loaded. */
const unbundled = /^oidc-provider(\/|$)/;
const isPackage = /^[^./]/;
const packagesOf = {
  tracing: '@opentelemetry/(?!api/)',
  validation: '(?:class-validator|validator|libphonenumber-js)/',
};
const inPackage = (names) => new RegExp(`/node_modules/${names}`);
/** The chunks of packages, each with the modules that belong to it. A package that several need is in the first. */
const chunksOfPackages = {
  packages: inPackage(`(?!@xs2a/|${packagesOf.tracing}|${packagesOf.validation})`),
  tracing: inPackage(packagesOf.tracing),
  validation: inPackage(packagesOf.validation),
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

/** Lines of packages that are replaced in a bundle. `service-bundle.int.spec.ts` checks the effect of each. */
const replacements = [
  {
    // With this line, the bundler does not recognise `require('typeorm')` in the file. The console would load typeorm
    // twice: from its bundle, and from node_modules.
    file: '@nestjs/typeorm/dist/common/typeorm-compat.js',
    line: 'const require = createRequire(import.meta.url);',
    by: '',
  },
  {
    // Creating a logger, pino asks Node for the names of the files that call it; only a logger with a transport needs
    // them. Node would translate these names with the source map of main.js, and parsing it takes a fifth of a second.
    file: 'pino/lib/caller.js',
    line: 'return getCallSites().slice(2)',
    by: 'return getCallSites({ sourceMap: false }).slice(2)',
  },
];

const replaced = {
  name: 'replaced',
  transform: {
    filter: { id: replacements.map(({ file }) => new RegExp(`/node_modules/${RegExp.escape(file)}$`)) },
    handler: (text, id) => {
      const { line, by } = replacements.find(({ file }) => id.endsWith(file));
      if (!text.includes(line)) throw new Error(`${id} no longer contains: ${line}`);
      // Packages are written without a source map.
      return { code: text.replace(line, by), map: null };
    },
  },
};

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

/** Characters outside ASCII. rolldown's option `asciiOnly` leaves those in comments and in tagged templates. */
const notAscii = /[^\0-\x7f]/g;

const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Escapes the characters that rolldown left, and deletes the file's source map unless `keepsMap` is true. */
const finish = async (file, keepsMap) => {
  const code = (await readFile(file, 'utf8')).replace(notAscii, escaped);
  if (!keepsMap) await rm(`${file}.map`);
  await writeFile(file, keepsMap ? code : code.replace(/\/\/# sourceMappingURL=.*\s*$/, ''));
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
    plugins: [sources(read), replaced, optional],
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
      comments: { legal: true, annotation: false, jsdoc: false },
      minify: {
        compress: false,
        mangle: false,
        codegen: { removeWhitespace: false, asciiOnly: true },
      },
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
  for (const { fileName } of chunks) await finish(join('dist', fileName), !ofPackages.has(fileName));
};
