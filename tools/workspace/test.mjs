// `npm test`: formats, lint, types, builds, unit, integration and end-to-end tests; installs what is missing; ends with
// one line `N passed, N failed`. Runs on any Node from 20, before anything is installed. `npm test -- unit` runs one stage.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from './prepare.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const only = process.argv.slice(2);
const stages = ['format', 'lint', 'types', 'build', 'unit', 'int', 'e2e'];
const unknown = only.filter((stage) => !stages.includes(stage));
if (unknown.length > 0) {
  console.error(`npm test: no stage is called ${unknown.join(', ')}. There are: ${stages.join(', ')}.`);
  process.exit(1);
}
const wanted = only.length === 0 ? stages : only;
const node = prepare({ programs: ['nats-server', ...(wanted.includes('e2e') ? ['chromium'] : [])] });

const results = join(root, '.xs2a/test-results');
rmSync(results, { recursive: true, force: true });
const env = {
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
  NX_DAEMON: 'false',
  NX_TUI: 'false',
  FORCE_COLOR: '0',
};
const bin = (name) => join(root, 'node_modules/.bin', name);
const nx = (target) => [
  node,
  [join(root, 'node_modules/nx/dist/bin/nx.js'), 'run-many', '-t', target, '--outputStyle=static'],
];

const failures = [];
const step = (name, [command, args], cwd = root) => {
  const began = performance.now();
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const passed = status === 0;
  console.log(
    `${passed ? 'ok    ' : 'FAILED'} ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`,
  );
  // What a test counted (faults survived, attacks refused) is worth reading also when all is well.
  for (const line of stderr?.split('\n') ?? [])
    if (line.startsWith('counts: ')) console.log(`       ${line}`);
  if (!passed) {
    failures.push(name);
    console.log(`${stdout}\n${stderr}`.trim().slice(-20_000));
  }
  return passed;
};

const projects = ['libs', 'apps', 'tools'].flatMap((kind) =>
  readdirSync(join(root, kind), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(kind, entry.name)),
);
const has = (project, ending) =>
  existsSync(join(root, project, 'src')) &&
  readdirSync(join(root, project, 'src'), { recursive: true }).some((file) => file.endsWith(ending));
const tier = (name) => {
  for (const project of projects.filter((one) => has(one, `.${name}.spec.ts`))) {
    step(`${name} ${project}`, [node, [join(root, 'tools/workspace/jest.mjs'), name]], join(root, project));
  }
};

const run = {
  format: () => step('format', [bin('oxfmt'), ['--check', '.']]),
  lint: () => step('lint', [bin('oxlint'), ['--deny-warnings', '.']]),
  types: () => step('types', [bin('tsc'), ['-p', 'tsconfig.json']]),
  build: () => step('build', nx('build')),
  unit: () => step('unit', nx('test')),
  int: () => tier('int'),
  e2e: () => tier('e2e'),
};
for (const stage of stages.filter((one) => wanted.includes(one))) {
  run[stage]();
  // Without a build nothing can be started; what comes after would only repeat that.
  if (stage === 'build' && failures.includes('build')) break;
}

const counts = { passed: 0, failed: 0, skipped: 0 };
const reports = existsSync(results)
  ? readdirSync(results, { recursive: true }).filter((file) => file.endsWith('.json'))
  : [];
for (const report of reports) {
  const { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites } = JSON.parse(
    readFileSync(join(results, report), 'utf8'),
  );
  counts.passed += numPassedTests;
  counts.failed += numFailedTests + numRuntimeErrorTestSuites;
  counts.skipped += numPendingTests;
}
// A stage that fails without a failing test (a format, a type, a crash) counts as one.
if (counts.failed === 0) counts.failed = failures.length;
if (failures.length > 0) console.log(`\nfailed: ${failures.join(', ')}`);
console.log(
  `${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`,
);
process.exit(failures.length > 0 ? 1 : 0);
