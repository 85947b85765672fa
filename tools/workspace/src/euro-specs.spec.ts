import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readText, repositoryFiles, root } from './sources.js';

interface Selection {
  readonly specs: readonly string[];
  readonly excepted: readonly string[];
}

/** The specs that run at a bank in euro, and the excepted ones, as the runner of `npm test -- e2e-euro` sees them. */
const readSelection = (): Selection => {
  const script = `
    import { exceptions, folder } from './tools/workspace/euro-specs.mjs';
    import { specsByLane } from './tools/workspace/lanes.mjs';
    const { visiting, together, alone } = specsByLane(process.cwd(), 'e2e-euro');
    const specs = [...visiting, ...together, ...alone].map((file) => file.slice(process.cwd().length + 1));
    const excepted = Object.keys(exceptions).map((name) => folder + name + '.e2e.spec.ts');
    console.log(JSON.stringify({ specs, excepted }));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    encoding: 'utf8',
  });
  return JSON.parse(stdout) as Selection;
};

describe('the suite at a bank in euro (contract E1.1)', () => {
  const { specs, excepted } = readSelection();
  const files = repositoryFiles();

  it.each([
    'consents-accounts/accounts',
    'contract/documented-examples',
    'contract/errors',
    'payments/payments',
    'payments/production-offers',
    'security/security',
  ])('includes %s', (name) => {
    expect(specs).toContain(`test/e2e/src/${name}.e2e.spec.ts`);
  });

  it('has exceptions that exist', () => {
    expect(excepted.filter((file) => !files.includes(file))).toEqual([]);
  });

  it('starts no bank in leva, and names no product or currency of one', () => {
    const inLeva = /World\.start\(undefined, '|World\.inEuro|currency: 'BGN'|-transfer-BGN'/;
    expect(specs.filter((file) => inLeva.test(readText(file)))).toEqual([]);
  });

  it('is run by CI every night', () => {
    expect(readText('.ci/nightly')).toMatch(/^npm test -- .*\be2e-euro\b/m);
  });
});
