// Builds the project in the current folder (the nx target `build`): compiles src to dist file by file, and
// bundles services as well.
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { bundle } from './bundle.mjs';
import { compile } from './compile.mjs';

/** The programs that a container may start; each app has one or more of them. */
const programs = ['main', 'migrate', 'migrate-nats'];

const files = await readdir('src', { recursive: true, withFileTypes: true });
await rm('dist', { recursive: true, force: true });
await Promise.all(
  files
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'))
    .map(async (entry) => {
      const source = join(entry.parentPath, entry.name);
      const target = join('dist', source.slice('src/'.length));
      await mkdir(dirname(target), { recursive: true });
      if (!source.endsWith('.ts')) return cp(source, target);
      const { code, map } = await compile(source);
      const out = target.replace(/\.ts$/, '.js');
      await writeFile(out, `${code}\n//# sourceMappingURL=${out.split('/').pop()}.map\n`);
      return writeFile(`${out}.map`, map);
    }),
);
if (['apps', 'examples'].includes(basename(resolve('..')))) {
  // A service is an app with its own settings; the operator command is not a service.
  const ofSeveralApps = !existsSync('src/config.ts');
  for (const program of programs)
    if (existsSync(`src/${program}.ts`)) await bundle(program, { ofSeveralApps });
}
