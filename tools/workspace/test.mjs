// `npm test`: checks format, lint, types and builds, and runs unit, integration and end-to-end tests.
// Installs what is missing, and prints `N passed, N failed` as the last line. Runs on Node 20 or newer,
// before anything is installed. `npm test -- unit` runs one stage; `npm test -- build long` runs the fault
// runs and other tests that take minutes. A failed spec file is run once more, by itself; if it then passes,
// it is listed as flaky. Skipped tests are listed too.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { markBuilt } from './built.mjs';
import { prepare } from './prepare.mjs';
import { answerHelp } from './usage.mjs';
import { objections, summarise } from './test-reports.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const only = process.argv.slice(2);
answerHelp('test', only);
const usual = ['format', 'lint', 'types', 'build', 'unit', 'int', 'e2e'];
const stages = [...usual, 'e2e-euro', 'long', 'nightly'];
const unknown = only.filter((stage) => !stages.includes(stage));
if (unknown.length > 0) {
  console.error(`npm test: no stage is called ${unknown.join(', ')}. There are: ${stages.join(', ')}.`);
  process.exit(1);
}
const wanted = only.length === 0 ? usual : only;
const node = prepare({
  programs: [
    'openssl',
    'nats-server',
    ...(['int', 'e2e', 'long', 'nightly'].some((stage) => wanted.includes(stage)) ? ['prometheus'] : []),
    ...(['e2e', 'long', 'nightly'].some((stage) => wanted.includes(stage)) ? ['chromium', 'curl'] : []),
    ...(wanted.includes('e2e-euro') ? ['curl'] : []),
  ],
});

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
const nx = join(root, 'node_modules/nx/dist/bin/nx.js');
const jest = join(root, 'tools/workspace/jest.mjs');

const failures = [];
/** Runs a step and returns whether it succeeded. `live`: shows stdout immediately; otherwise, all output is shown only if the step fails. */
const step = async (name, command, args, live = false) => {
  const began = performance.now();
  const child = spawn(command, args, {
    cwd: root,
    env,
    stdio: ['ignore', live ? 'inherit' : 'pipe', 'pipe'],
  });
  const end = once(child, 'close');
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => (said += text));
  for await (const line of createInterface(child.stderr)) {
    // Test counts (faults survived, attacks refused) and what was skipped are of interest even if all tests pass.
    if (/^(?:counts|skipped): /.test(line)) console.log(`       ${line}`);
    else said += `${line}\n`;
  }
  const [status] = await end;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (status === 0) return true;
  failures.push(name);
  console.log(said.trim().slice(-20_000));
  return false;
};

const run = {
  format: async () => step('format', bin('oxfmt'), ['--check', '.']),
  lint: async () => {
    await step('lint', bin('oxlint'), ['--deny-warnings', '.']);
    await step('lint: unused', node, [join(root, 'tools/workspace/src/unused.ts')]);
  },
  types: async () => step('types', bin('tsc'), ['-p', 'tsconfig.json']),
  build: async () => {
    if (await step('build', node, [nx, 'run-many', '-t', 'build', '--outputStyle=static'])) markBuilt();
  },
  unit: async () => step('unit', node, [jest, 'unit'], true),
  int: async () => step('int', node, [jest, 'int'], true),
  e2e: async () => step('e2e', node, [jest, 'e2e'], true),
  'e2e-euro': async () => step('e2e-euro', node, [jest, 'e2e-euro'], true),
  long: async () => step('long', node, [jest, 'long'], true),
  nightly: async () => step('nightly', node, [jest, 'nightly'], true),
};
/**
 * The stages of a group run in parallel, because none of them uses the whole machine. The linter follows imports into
 * the built files of an earlier run, which a build replaces, so it ends before the build begins.
 */
for (const group of [
  ['format', 'lint'],
  ['types', 'build'],
  ['unit'],
  ['int'],
  ['e2e'],
  ['e2e-euro'],
  ['long'],
  ['nightly'],
]) {
  await Promise.all(group.filter((stage) => wanted.includes(stage)).map(async (stage) => run[stage]()));
  // No later stage can start without a build, so it would only repeat the failure.
  if (failures.includes('build')) break;
}

const { counts, failed, flaky, skipped } = summarise(root, results);
if (failed.length + flaky.length + skipped.length > 0) console.log();
for (const { file, title } of skipped) console.log(`skipped: ${file}: ${title}`);
for (const { file, firstFailure } of flaky) console.log(`flaky: ${file} (first failure: ${firstFailure})`);
for (const { file, firstFailure } of failed) console.log(`failed: ${file} (${firstFailure})`);
for (const objection of objections(flaky)) {
  console.log(objection);
  if (!failures.includes('flaky')) failures.push('flaky');
}
// If a stage fails without a failing test (format, types, a crash), that counts as one failure.
if (counts.failed === 0) counts.failed = failures.length;
if (failures.length > 0) console.log(`\nfailed: ${failures.join(', ')}`);
console.log(
  `${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`,
);
process.exit(failures.length > 0 ? 1 : 0);
