import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readText, repositoryFiles, root } from './sources.js';

/** Each npm command, with the file that parses its options, if there is one. */
const commands: Readonly<Record<string, string | undefined>> = {
  start: 'tools/sandbox/src/command-line.ts',
  demo: 'tools/sandbox/src/demo/main.ts',
  test: undefined,
  spec: undefined,
  bench: 'test/bench/src/command-line.ts',
  chaos: 'test/chaos/src/command-line.ts',
  'two-releases': 'test/e2e/src/releases/two-releases-main.ts',
  containers: 'test/e2e/src/containers/play.ts',
};
/** Returns the option names passed to `parseArgs` in a source file. */
const optionsIn = (file: string): string[] =>
  [...readText(file).matchAll(/['"]?([a-z-]+)['"]?: \{ type: '(?:string|boolean)'/g)].map(
    ([, name = '']) => `--${name}`,
  );

describe('--help', () => {
  /** A checkout with only the scripts and no installed packages. */
  const bare = mkdtempSync(join(tmpdir(), 'xs2a-bare-'));
  const { scripts } = JSON.parse(readText('package.json')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const ask = (command: string) => {
    const [, ...args] = (scripts[command] ?? '').split(' ');
    // An empty PATH, so that no program can be found, installed or started.
    const env = { PATH: join(bare, 'no-programs') };
    return spawnSync(process.execPath, [...args, '--help'], { cwd: bare, encoding: 'utf8', env });
  };
  beforeAll(() => {
    for (const file of repositoryFiles().filter((name) => /^tools\/[^/]+\/[^/]+\.mjs$/.test(name))) {
      mkdirSync(join(bare, dirname(file)), { recursive: true });
      cpSync(join(root, file), join(bare, file));
    }
  });
  afterAll(() => rmSync(bare, { recursive: true, force: true }));

  it.each(Object.entries(commands))(
    'of %s lists every option, and neither installs nor starts anything',
    (command, source) => {
      const { status, stdout, stderr } = ask(command);
      expect([status, stderr]).toEqual([0, '']);
      const options = source === undefined ? [] : optionsIn(source);
      expect([...options, '--help'].filter((option) => !stdout.includes(`${option} `))).toEqual([]);
      expect(options.length > 0).toBe(source !== undefined);
      expect(readdirSync(bare)).toEqual(['tools']);
    },
  );

  it('for npm start, names the variable for the data folder', () => {
    expect(ask('start').stdout).toContain('XS2A_DATA_DIR');
  });

  it('for npm test, names every stage', () => {
    const { stdout } = ask('test');
    const stages = ['format', 'lint', 'types', 'build', 'unit', 'int', 'e2e', 'e2e-euro', 'long', 'nightly'];
    expect(stages.filter((stage) => !stdout.includes(stage))).toEqual([]);
  });
});
