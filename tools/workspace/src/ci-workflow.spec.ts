import { describe, expect, it } from '@jest/globals';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readText, root } from './sources.js';

interface Step {
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly 'runs-on': string; readonly steps: readonly Step[] }>>;
}
const { on, permissions, jobs } = parse(readText('.github/workflows/ci.yml')) as Workflow;
const steps = jobs['ci']?.steps ?? [];
const place = (text: string): number => steps.findIndex(({ run }) => run?.includes(text) === true);
/** The Debian packages of the programs needed by tests, as listed in prepare.mjs. */
const packages = [...readText('tools/workspace/prepare.mjs').matchAll(/apt: \[([^\]]+)\]/g)].flatMap(
  ([, list = '']) => [...list.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name),
);

describe('the CI workflow for the code host (.github/workflows/ci.yml)', () => {
  it('runs .ci/run on Ubuntu for each push to main and each pull request', () => {
    expect(Object.keys(on)).toEqual(expect.arrayContaining(['push', 'pull_request']));
    expect(jobs['ci']?.['runs-on']).toMatch(/^ubuntu-/);
    expect(steps.filter(({ run }) => run === '.ci/run')).toHaveLength(1);
    accessSync(join(root, '.ci/run'), constants.X_OK);
  });

  it('runs .ci/nightly once a day, and .ci/nightly runs the stage nightly', () => {
    expect(on['schedule']).toEqual([{ cron: expect.stringMatching(/^\d+ \d+ \* \* \*$/) }]);
    const nightly = steps.filter(({ run }) => run === '.ci/nightly');
    expect(nightly.map((step) => step.if)).toEqual(["github.event_name == 'schedule'"]);
    accessSync(join(root, '.ci/nightly'), constants.X_OK);
    expect(readText('.ci/nightly')).toMatch(/^npm test -- build .*\bnightly$/m);
  });

  it('has only read access to the repository', () => {
    expect(permissions).toEqual({ contents: 'read' });
  });

  it('uses the Node version in .nvmrc, and caches npm and the builds', () => {
    const node = steps.find(({ uses }) => uses?.startsWith('actions/setup-node@'));
    expect(node?.with).toEqual({ 'node-version-file': '.nvmrc', cache: 'npm' });
    const cache = steps.find(({ uses }) => uses?.startsWith('actions/cache@'));
    expect(cache?.with?.['path']?.trim().split('\n')).toEqual(
      expect.arrayContaining([
        '.nx/cache',
        'apps/*/dist',
        'clients/*/dist',
        'examples/*/dist',
        'libs/*/dist',
        'test/*/dist',
        'tools/*/dist',
      ]),
    );
  });

  it('installs every program that the tests need before it runs them', () => {
    expect(packages).toEqual(expect.arrayContaining(['openssl', 'nats-server', 'chromium']));
    const tests = place('.ci/run');
    for (const name of packages.filter((one) => one !== 'chromium')) {
      expect([name, steps.some(({ run }) => run?.includes('install') && run.includes(name))]).toEqual([
        name,
        true,
      ]);
      expect(place(name)).toBeLessThan(tests);
    }
    const chromium = place('/usr/bin/chromium');
    expect(chromium).toBeGreaterThanOrEqual(0);
    expect(chromium).toBeLessThan(tests);
  });
});
