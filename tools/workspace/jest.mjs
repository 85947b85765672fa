// Runs one tier (`unit`, `int`, `e2e`) of the project in the current folder, one file at a time. At the root,
// it runs that tier of all projects, several files at a time, or `long`, `nightly`, or `e2e-euro`, the end-to-end
// tests that also run at a bank in euro; a failed spec file is then run once more, by itself. Writes its reports
// to the folder where `npm test` totals them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lanes, specsByLane } from './lanes.mjs';
import { withCluster, withSandboxes } from './lane-sandboxes.mjs';
import { again, readReport } from './test-reports.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [tier = 'unit', ...rest] = process.argv.slice(2);
/** The `host:port` at which to wait for a debugger. */
const inspect = process.env.JEST_INSPECT;
const everywhere = relative(root, process.cwd()) === '';
const ours = (name) => join(root, 'tools/workspace', name);
const reportOf = (label) => join(root, '.xs2a/test-results', `${label}.json`);

/** Runs jest once and keeps its report under `label`. Returns whether all tests passed. */
const jest = async (label, args, env = {}) => {
  const results = reportOf(label);
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
      // With a debugger, tests run in this process with a long timeout.
      ...(inspect === undefined ? [] : ['--runInBand', '--testTimeout=3600000']),
      ...args,
      ...rest,
    ],
    {
      // With --json, jest writes to stderr; stdout belongs to the reporter of the run over all projects.
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

/** Runs some spec files of all projects, `width` at a time. */
const run = async (label, specs, width, env = {}) => {
  const passed =
    specs.length === 0 ||
    (await jest(
      label,
      [
        ...['libs', 'apps', 'clients', 'examples', 'tools', 'test'].map((folder) => `--roots=${folder}`),
        `--reporters=${ours('jest-lines.mjs')}`,
        `--testSequencer=${ours('jest-order.mjs')}`,
        `--maxWorkers=${width}`,
        '--runTestsByPath',
        ...specs,
      ],
      env,
    ));
  return { label, passed };
};

/** The max number of failures to rerun: more than this have a common cause, so a second run would only repeat it. */
const mostReruns = 10;

/** Runs the failed spec files again, one by one. Returns whether all of them passed this time. */
const rerun = async (runs, env = {}) => {
  const failed = runs.filter(({ passed }) => !passed).map(({ label }) => reportOf(label));
  if (failed.length === 0) return true;
  // A missing report means that jest itself failed.
  if (!failed.every((report) => existsSync(report))) return false;
  const files = failed.flatMap((report) => readReport(root, report)).filter((one) => one.failed);
  if (files.length === 0) return false;
  if (files.length > mostReruns) {
    console.log(`${files.length} spec files failed; none of them is run again.`);
    return false;
  }
  const passed = [];
  for (const [index, { file }] of files.entries()) {
    console.log(`again  ${file}`);
    const second = await run(join(again, `${runs[0].label}.${index}`), [join(root, file)], 1, env);
    passed.push(second.passed);
  }
  return passed.every(Boolean);
};

/** True for spec files that expect a database without the services' tables. */
const isIntegration = (file) => file.endsWith('.int.spec.ts');

/** Runs files in lanes, followed by files that run one by one, and reruns what failed. */
const ofAll = async () => {
  const { visiting, inEuro, together, alone } = specsByLane(root, tier);
  if (tier === 'unit') return rerun([await run(tier, together, lanes)]);
  const profile = tier === 'e2e-euro' ? 'bg-euro' : 'sandbox';
  /** Calls `work` with the environment of its spec files, and reruns what failed. `options`: those of withCluster. */
  const onCluster = async (options, work) =>
    withCluster(options, async (template) => {
      const env = { ...template, XS2A_TESTED_PROFILE: profile };
      return rerun(await work(env), env);
    });
  const inSandboxes = async (env) => {
    const runs = [];
    for (const [label, specs, bank] of [
      ['visiting', visiting, profile],
      ['in-euro', inEuro, 'bg-euro'],
    ])
      if (specs.length > 0)
        await withSandboxes(lanes, bank, async (sandboxes) =>
          runs.push(await run(`${tier}.${label}`, specs, lanes, { ...env, ...sandboxes })),
        );
    return runs;
  };
  const { integration = [], endToEnd = [] } = Object.groupBy(together, (file) =>
    isIntegration(file) ? 'integration' : 'endToEnd',
  );
  // The fault runs are among the files that run one by one in these stages. They test what survives a crash, with fsync.
  const fsync = ['long', 'nightly'].includes(tier);
  const passed = [];
  if (integration.length > 0)
    passed.push(
      await onCluster({ migrated: false, fsync: false }, async (env) => [
        await run(`${tier}.integration`, integration, lanes, env),
      ]),
    );
  if (visiting.length + inEuro.length + endToEnd.length > 0)
    passed.push(
      await onCluster({ migrated: true, fsync: false }, async (env) => [
        ...(await inSandboxes(env)),
        await run(`${tier}.together`, endToEnd, lanes, env),
      ]),
    );
  if (alone.length > 0)
    passed.push(
      await onCluster({ migrated: tier !== 'int', fsync }, async (env) => [
        await run(`${tier}.alone`, alone, 1, env),
      ]),
    );
  return passed.every(Boolean);
};

process.exit((await (everywhere ? ofAll() : ofProject())) ? 0 : 1);
