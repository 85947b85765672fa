// Runs one tier of the project it stands in (`unit`, `int`, `e2e`), writes the counts where `npm test` adds them up.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [tier = 'unit', ...rest] = process.argv.slice(2);
const { name } = JSON.parse(readFileSync('package.json', 'utf8'));
const results = `${root}.xs2a/test-results/${tier === 'unit' ? name : `${name}.${tier}`}.json`;
mkdirSync(new URL('.', `file://${results}`), { recursive: true });
rmSync(results, { force: true });

const { status } = spawnSync(
  `${root}node_modules/node/bin/node`,
  [
    '--experimental-vm-modules',
    '--no-warnings',
    `${root}node_modules/jest/bin/jest.js`,
    `--config=${root}jest.config.mjs`,
    `--rootDir=${process.cwd()}`,
    '--json',
    `--outputFile=${results}`,
    '--passWithNoTests',
    ...(tier === 'unit' ? [] : ['--runInBand']),
    ...rest,
  ],
  { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, TIER: tier } },
);
process.exit(status ?? 1);
