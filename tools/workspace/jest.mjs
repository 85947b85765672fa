// Runs one tier of the project it stands in (`unit`, `int`, `e2e`), one file after the other; at the root, that tier of all
// projects, several files at a time, or `long`, what takes long, one by one. Writes the counts where `npm test` adds them up.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lanes, specsByLane } from './lanes.mjs';
import { withCluster, withSandboxes } from './lane-sandboxes.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [tier = 'unit', ...rest] = process.argv.slice(2);
/** `host:port` where a debugger is waited for. */
const inspect = process.env.JEST_INSPECT;
const everywhere = relative(root, process.cwd()) === '';

/** One run of jest; its counts are kept under `label`. Answers whether all passed. */
const jest = async (label, args, env = {}) => {
  const results = join(root, '.xs2a/test-results', `${label}.json`);
  mkdirSync(join(results, '..'), { recursive: true });
  rmSync(results, { force: true });
  const child = spawn(
    join(root, 'node_modules/node/bin/node'),
    [
      '--experimental-vm-modules',
      '--no-warnings',
      ...(inspect === undefined ? [] : [`--inspect-brk=${inspect}`]),
      join(root, 'node_modules/jest/bin/jest.js'),
      `--config=${join(root, 'jest.config.mjs')}`,
      `--rootDir=${process.cwd()}`,
      '--json',
      `--outputFile=${results}`,
      '--passWithNoTests',
      // With a debugger: in its process, and as long as it takes.
      ...(inspect === undefined ? [] : ['--runInBand', '--testTimeout=3600000']),
      ...args,
      ...rest,
    ],
    {
      // With --json jest's own words go to stderr; stdout is the reporter's of the run over all projects.
      stdio: ['ignore', everywhere ? 'inherit' : 'ignore', 'inherit'],
      env: {
        ...process.env,
        ...env,
        TIER: tier,
        NODE_COMPILE_CACHE: join(root, '.xs2a/compile-cache'),
      },
    },
  );
  const [status] = await once(child, 'exit');
  return status === 0;
};

const ofProject = async () => {
  const { name } = JSON.parse(readFileSync('package.json', 'utf8'));
  return tier === 'unit' ? jest(name, []) : jest(`${name}.${tier}`, ['--runInBand']);
};

/** Files in lanes, then those that measure times, one by one. */
const ofAll = async () => {
  const ours = (name) => join(root, 'tools/workspace', name);
  const run = async (label, specs, width, env = {}) =>
    specs.length === 0 ||
    jest(
      label,
      [
        ...['libs', 'apps', 'tools', 'test'].map((folder) => `--roots=${folder}`),
        `--reporters=${ours('jest-lines.mjs')}`,
        `--testSequencer=${ours('jest-order.mjs')}`,
        `--maxWorkers=${width}`,
        '--runTestsByPath',
        ...specs,
      ],
      env,
    );
  const { visiting, together, alone } = specsByLane(root, tier);
  if (tier === 'unit') return run(tier, together, lanes);
  return withCluster({ migrated: tier !== 'int' }, async (cluster) =>
    [
      visiting.length === 0 ||
        (await withSandboxes(lanes, async (sandboxes) =>
          run(`${tier}.visiting`, visiting, lanes, { ...cluster, ...sandboxes }),
        )),
      await run(tier, together, lanes, cluster),
      await run(`${tier}.alone`, alone, 1, cluster),
    ].every(Boolean),
  );
};

process.exit((await (everywhere ? ofAll() : ofProject())) ? 0 : 1);
