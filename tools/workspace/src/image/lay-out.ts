// Lays out the files of an app's image on top of its base (deploy/Dockerfile, docs/adr/0052), after the app
// has been built: node tools/workspace/dist/image/lay-out.js PROJECT FOLDER. The provenance names VERSION and
// REVISION from the environment.
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { root } from '../sources.js';
import { bundledPackages, type Package, packagesOf, unbundledPackages } from './packages.js';
import { componentsOf } from './sbom.js';

interface Release {
  readonly version: string;
  readonly revision: string;
}

/** True for the files in `dist` of the programs that an image may start. */
const isProgram = (file: string): boolean => /^(main|migrate|migrate-nats)\.js(\.map)?$/.test(file);
/** Image names that differ from the name of their app. */
const imageNames: Readonly<Record<string, string>> = { 'operator-cli': 'cli' };
const json = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`;
const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

/** Copies the programs of a project to `apps/NAME/dist`, where deploy/Dockerfile starts them. */
const copyFiles = async (project: string, folder: string): Promise<void> => {
  const dist = join(project, 'dist');
  const programs = (await readdir(join(root, dist))).filter(isProgram);
  if (!programs.includes('main.js')) throw new Error(`${dist} has no main.js: build it first`);
  const target = join(folder, 'apps', basename(project), 'dist');
  for (const file of [...programs, 'bundle'])
    await cp(join(root, dist, file), join(target, file), { recursive: true });
  // The console shows the runbooks.
  const docs = basename(project) === 'console' ? ['docs/runbooks'] : [];
  for (const path of ['deploy/profiles', 'deploy/sandbox', 'LICENSE', ...docs])
    await cp(join(root, path), join(folder, path), { recursive: true });
};

/**
 * Returns the provenance as an in-toto statement with the SLSA predicate. It is not signed here; the image
 * registry signs it.
 */
const provenance = async (app: string, folder: string, { version, revision }: Release): Promise<object> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: await Promise.all(
      files.map(async (file) => ({
        name: relative(folder, file),
        digest: { sha256: sha256(await readFile(file)) },
      })),
    ),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'deploy/Dockerfile',
        externalParameters: { app, version, revision },
        internalParameters: { node: process.version },
        resolvedDependencies: [
          {
            uri: 'package-lock.json',
            digest: { sha256: sha256(await readFile(join(root, 'package-lock.json'))) },
          },
        ],
      },
      runDetails: { builder: { id: 'deploy/Dockerfile' } },
    },
  };
};

/** The files of a package that accompany every copy of a part of it. */
const accompanying = /^package\.json$|LICEN[CS]E|NOTICE/;

/** Copies the files that a program reads, with the manifests and licences of their packages. */
const copyRead = async (
  files: readonly string[],
  packages: readonly Package[],
  folder: string,
): Promise<void> => {
  const others = await Promise.all(
    packages.map(async ({ path }) => {
      const names = (await readdir(join(root, path))).filter((name) => accompanying.test(name));
      return names.map((name) => join(path, name));
    }),
  );
  for (const path of [...files.map((file) => join('node_modules', file)), ...others.flat()])
    await cp(join(root, path), join(folder, path));
};

/** Writes the files of a project's image to `folder`, which is emptied first. */
const layOut = async (project: string, folder: string, { version, revision }: Release): Promise<void> => {
  const app = basename(project);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await copyFiles(project, folder);
  const bundled = await bundledPackages(join(root, project, 'dist'));
  const unbundled = await unbundledPackages(bundled.external);
  for (const { path } of unbundled) {
    // Packages nested in another package are listed separately, at the place where they are required.
    await cp(join(root, path), join(folder, path), {
      recursive: true,
      filter: (source) => !relative(join(root, path), source).split('/').includes('node_modules'),
    });
  }
  const read = await packagesOf(bundled.read);
  await copyRead(bundled.read, read, folder);
  const name = `xs2a/${imageNames[app] ?? app}`;
  await writeFile(join(folder, 'package.json'), json({ name, version, type: 'module', private: true }));
  await writeFile(
    join(folder, 'sbom.cdx.json'),
    json({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      version: 1,
      metadata: { component: { type: 'container', 'bom-ref': name, name, version } },
      components: componentsOf([...bundled.packages, ...unbundled, ...read]),
    }),
  );
  await writeFile(
    join(folder, 'provenance.json'),
    json(await provenance(app, folder, { version, revision })),
  );
};

const [project, folder] = process.argv.slice(2);
if (project === undefined || folder === undefined) throw new Error('Usage: lay-out.js PROJECT FOLDER');
const { VERSION: version = 'dev', REVISION: revision = 'unknown' } = process.env;
await layOut(project, resolve(folder), { version, revision });
