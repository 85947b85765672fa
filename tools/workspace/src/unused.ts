// Runs knip (knip.jsonc) to find unused files, exports and packages. By default, knip resolves our packages
// as Node.js does: to their build, if one exists. Here each package resolves to its sources, so that the
// result does not depend on a build. This program does not depend on a build either: Node 24 runs its source
// directly.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const paths = {
  '@xs2a/client/*': ['../clients/typescript/src/*.ts'],
  ...Object.fromEntries(
    ['libs', 'test', 'tools'].flatMap((kind) =>
      readdirSync(join(root, kind))
        .filter((name) => existsSync(join(root, kind, name, 'package.json')))
        .map((name) => [`@xs2a/${name}/*`, [`../${kind}/${name}/src/*.ts`]]),
    ),
  ),
};
const tsconfig = join(root, '.xs2a/tsconfig.knip.json');
mkdirSync(join(root, '.xs2a'), { recursive: true });
writeFileSync(tsconfig, JSON.stringify({ extends: '../tsconfig.json', compilerOptions: { paths } }));
const { status } = spawnSync(
  join(root, 'node_modules/node/bin/node'),
  [join(root, 'node_modules/knip/bin/knip.js'), '--no-progress', '--tsConfig', tsconfig],
  { cwd: root, stdio: 'inherit' },
);
process.exit(status ?? 1);
