import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readText, repositoryFiles, root } from './sources.js';

/** The spec files of each stage that has lanes, as `npm test` sees them. */
const readStages = (): Readonly<Record<'int' | 'e2e' | 'long' | 'nightly', readonly string[]>> => {
  const script = `
    import { specsByLane } from './tools/workspace/lanes.mjs';
    const filesOf = (stage) =>
      Object.values(specsByLane(process.cwd(), stage)).flat().map((file) => file.slice(process.cwd().length + 1));
    const stages = ['int', 'e2e', 'long', 'nightly'].map((stage) => [stage, filesOf(stage)]);
    console.log(JSON.stringify(Object.fromEntries(stages)));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    encoding: 'utf8',
  });
  return JSON.parse(stdout) as ReturnType<typeof readStages>;
};

describe('the stages of npm test (docs/adr/0018)', () => {
  const specs = repositoryFiles().filter((file) => /\.(int|e2e)\.spec\.ts$/.test(file));

  it('run each integration and end-to-end test in exactly one of int, e2e, long and nightly', () => {
    expect(Object.values(readStages()).flat().toSorted()).toEqual(specs.toSorted());
  });

  it('know every word of each `// Lane:` comment, which is on the first line', () => {
    const known = /^\/\/ Lane: (?:first|alone|nightly|long(?:, (?:first|alone))?) \(.+\)\.\n/;
    const having = specs.filter((file) => /^\/\/ Lane:/m.test(readText(file)));
    expect(having.filter((file) => !known.test(readText(file)))).toEqual([]);
  });

  it('are run by CI for each change, except nightly', () => {
    expect(readText('.ci/run')).toMatch(/^npm test\nnpm test -- build long$/m);
  });
});
