// Compiles the src folder of the project it is run in (the nx target `build`) to dist: swc, file by file, no bundling.
import { transformFile } from '@swc/core';
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

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
      const { code, map } = await transformFile(source, {
        swcrc: false,
        sourceMaps: true,
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
        module: { type: 'es6' },
      });
      const out = target.replace(/\.ts$/, '.js');
      await writeFile(out, `${code}\n//# sourceMappingURL=${out.split('/').pop()}.map\n`);
      return writeFile(`${out}.map`, map);
    }),
);
