import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './sources.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-runner-'));
const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
};

/** A separate repository with the real runner and with spec files that fail as often as a test requires. */
beforeAll(() => {
  cpSync(join(root, 'tools/workspace'), join(folder, 'tools/workspace'), {
    recursive: true,
    filter: (path) => !/\/(?:src|dist)$/.test(path),
  });
  for (const file of ['jest.config.mjs', 'package-lock.json']) cpSync(join(root, file), join(folder, file));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  // The runner tries once to install a missing allocator; the existence of this file prevents that here.
  write('.xs2a/libjemalloc2-asked-for', '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns a spec file that logs its start and end, and fails in its first `failures` runs. */
const specFailing = (failures: number): string => `
  import { expect, it } from '@jest/globals';
  import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
  import { basename, join } from 'node:path';
  const { filename } = import.meta;
  const log = (moment) => appendFileSync(join(${JSON.stringify(folder)}, 'log'), basename(filename) + ' ' + moment + '\\n');
  it('adds up', () => {
    log('begins');
    const counter = filename + '.runs';
    const runs = existsSync(counter) ? Number(readFileSync(counter, 'utf8')) : 0;
    writeFileSync(counter, String(runs + 1));
    log('ends');
    if (runs < ${failures}) throw new Error('not yet');
    expect(1 + 1).toBe(2);
  });`;

/**
 * Runs `npm test -- unit` over spec files; each value is the number of runs in which the file fails. `change` edits
 * the source of each.
 */
const runUnit = (specs: Readonly<Record<string, number>>, change = (source: string): string => source) => {
  for (const kind of ['libs', 'apps', 'clients', 'examples', 'test'])
    rmSync(join(folder, kind), { recursive: true, force: true });
  for (const kind of ['libs', 'apps', 'clients', 'examples', 'test']) mkdirSync(join(folder, kind));
  write('log', '');
  for (const [file, failures] of Object.entries(specs)) write(file, change(specFailing(failures)));
  const { status, stdout } = spawnSync(process.execPath, [join(folder, 'tools/workspace/test.mjs'), 'unit'], {
    encoding: 'utf8',
  });
  const lines = stdout.trim().split('\n');
  return {
    status,
    flaky: lines.filter((line) => line.startsWith('flaky: ')),
    counts: lines.at(-1),
    stdout,
    /** The start and end of each file's runs, in order. */
    log: readFileSync(join(folder, 'log'), 'utf8').trim().split('\n'),
  };
};
const flakyLine = (file: string): string => `flaky: ${file} (first failure: adds up: Error: not yet)`;

describe('npm test with a failing spec file', () => {
  it('runs the file once more, by itself, and counts it as passed and flaky if it then passes', () => {
    const { status, flaky, counts, log } = runUnit({
      'libs/one/src/first.spec.ts': 1,
      'apps/two/src/second.spec.ts': 1,
      'test/three/src/trace-context.spec.ts': 1,
      'libs/one/src/sound.spec.ts': 0,
    });
    expect(flaky.sort()).toEqual(
      [
        'apps/two/src/second.spec.ts',
        'libs/one/src/first.spec.ts',
        'test/three/src/trace-context.spec.ts',
      ].map(flakyLine),
    );
    expect([status, counts]).toEqual([0, '4 passed, 0 failed']);
    const reruns = log.slice(8);
    expect(reruns.filter((_line, index) => index % 2 === 0).sort()).toEqual([
      'first.spec.ts begins',
      'second.spec.ts begins',
      'trace-context.spec.ts begins',
    ]);
    expect(reruns.filter((_line, index) => index % 2 === 1)).toEqual(
      reruns.filter((_line, index) => index % 2 === 0).map((line) => line.replace('begins', 'ends')),
    );
  }, 60_000);

  it('fails the run and names the file if it fails again, without a third attempt', () => {
    const { status, flaky, counts, log, stdout } = runUnit({
      'libs/one/src/broken.spec.ts': 2,
      'libs/one/src/sound.spec.ts': 0,
    });
    expect(flaky).toEqual([]);
    expect([status, counts]).toEqual([1, '1 passed, 1 failed']);
    expect(stdout).toContain('\nfailed: libs/one/src/broken.spec.ts (adds up: Error: not yet)\n');
    expect(log.filter((line) => line === 'broken.spec.ts begins')).toHaveLength(2);
  }, 60_000);

  it('fails the run if more than six files are flaky', () => {
    const { status, flaky, stdout } = runUnit({
      'libs/one/src/first.spec.ts': 1,
      'libs/one/src/second.spec.ts': 1,
      'libs/one/src/third.spec.ts': 1,
      'libs/one/src/fourth.spec.ts': 1,
      'libs/one/src/fifth.spec.ts': 1,
      'libs/one/src/sixth.spec.ts': 1,
      'libs/one/src/seventh.spec.ts': 1,
    });
    expect(flaky).toHaveLength(7);
    expect(stdout).toContain('7 spec files are flaky; a run passes with at most 6\n');
    expect(status).toBe(1);
  }, 60_000);

  it('fails the run if a fault run, invariant or race spec is flaky, because these look for rare failures', () => {
    const files = [
      'test/chaos/src/faults.spec.ts',
      'libs/invariants/src/money.spec.ts',
      'libs/one/src/basket-races.spec.ts',
    ];
    const { status, flaky, counts, stdout } = runUnit(Object.fromEntries(files.map((file) => [file, 1])));
    expect(flaky.sort()).toEqual(files.map(flakyLine).sort());
    for (const file of files) expect(stdout).toContain(`${file} may not be flaky: `);
    expect([status, counts]).toEqual([1, '3 passed, 1 failed']);
  }, 60_000);
});

describe('npm test with a skipped test', () => {
  it('lists it, and counts it as skipped', () => {
    const { status, counts, stdout } = runUnit(
      { 'libs/one/src/sound.spec.ts': 0 },
      (source) => `${source}\n  it.skip('needs Java', () => undefined);`,
    );
    expect(stdout).toContain('\nskipped: libs/one/src/sound.spec.ts: needs Java\n');
    expect([status, counts]).toEqual([0, '1 passed, 0 failed, 1 skipped']);
  }, 60_000);
});
