// Runs spec files by path, each with its tier's settings (`npm run spec`). Arguments after the files are
// passed to jest, such as `-t 'part of a title'`; `--inspect` first waits for a debugger at 127.0.0.1:9229.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from './prepare.mjs';
import { answerHelp } from './usage.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const args = process.argv.slice(2);
answerHelp('spec', args);
const files = args.filter((arg) => arg.endsWith('.spec.ts'));
const forJest = args.filter((arg) => !files.includes(arg) && arg !== '--inspect');

const stop = (problem) => {
  console.error(`${problem} Run: npm run spec -- --help`);
  process.exit(1);
};

if (files.length === 0) stop('No spec file is named.');
const missing = files.find((file) => !existsSync(resolve(root, file)));
if (missing !== undefined) stop(`${missing} is not there.`);

const tierOf = (file) => /\.(int|e2e)\.spec\.ts$/.exec(file)?.[1] ?? 'unit';
const needsPrometheus = (file) =>
  tierOf(file) !== 'unit' && /promtool|--observability/.test(readFileSync(resolve(root, file), 'utf8'));
const projectOf = (file) => resolve(root, file).slice(root.length).split('/').slice(0, 2).join('/');
/** Files of the same project and tier run together. Node 20 has no Object.groupBy. */
const groups = new Map();
for (const file of files) {
  const group = `${projectOf(file)} ${tierOf(file)}`;
  groups.set(group, [...(groups.get(group) ?? []), file]);
}

prepare({
  programs: [
    ...(files.every((file) => tierOf(file) === 'unit') ? [] : ['nats-server']),
    ...(files.some((file) => tierOf(file) === 'e2e') ? ['curl'] : []),
    ...(files.some(needsPrometheus) ? ['prometheus'] : []),
  ],
});
const failed = [...groups].filter(([group, specs]) => {
  const [project, tier] = group.split(' ');
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, 'tools/workspace/jest.mjs'),
      tier,
      '--runTestsByPath',
      ...specs.map((file) => resolve(root, file)),
      ...forJest,
    ],
    {
      cwd: join(root, project),
      stdio: 'inherit',
      env: { ...process.env, ...(args.includes('--inspect') ? { JEST_INSPECT: '127.0.0.1:9229' } : {}) },
    },
  );
  return status !== 0;
});
process.exit(failed.length === 0 ? 0 : 1);
