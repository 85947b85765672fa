import { describe, expect, it } from '@jest/globals';
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isSpec, projects, repositoryFiles, root, readText } from './sources.js';

const files = repositoryFiles();
const code = files.filter((file) => /^(?:apps|libs|examples|tools|test)\/.*\.(?:ts|mjs)$/.test(file));
const written = code.filter((file) => !file.includes('/generated/'));

/** True for files without logic, such as tables from a standard or texts, whose length is not ours to choose. */
const isData = (file: string): boolean =>
  /\/(?:catalogue|openapi|data)\/|purpose-codes|payment-fields/.test(file);

/** The max number of files in a folder: few enough to be read at a glance. */
const maxFiles = 20;
const listRooms = (app: string): string[] =>
  [
    ...new Set(
      written.flatMap((file) => new RegExp(`^apps/${app}/src/([^/]+)/`).exec(file)?.slice(1, 2) ?? []),
    ),
  ].sort();

const readLines = (file: string): string[] => readText(file).split('\n');
const matching = (list: readonly string[], pattern: RegExp): string[] =>
  list.flatMap((file) =>
    readLines(file).flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}`] : [])),
  );

describe('the repository', () => {
  it('keeps every file at 400 lines or fewer, except data tables', () => {
    expect(written.filter((file) => !isData(file) && readLines(file).length > 401)).toEqual([]);
  });

  it('has no folder with a meaningless name', () => {
    const banned = new Set(['shared', 'common', 'core', 'utils', 'helpers', 'misc', 'lib']);
    expect(
      written.filter((file) =>
        dirname(file)
          .split('/')
          .some((folder) => banned.has(folder)),
      ),
    ).toEqual([]);
  });

  it('has no folder with more than 20 files, except tests and migrations', () => {
    const inFolders = Map.groupBy(
      written.filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts')),
      (file) => dirname(file),
    );
    expect(
      [...inFolders]
        .filter(([folder, list]) => list.length > maxFiles && !folder.endsWith('/migrations'))
        .map(([folder, list]) => `${folder} has ${list.length} files: cut it by what they are for`),
    ).toEqual([]);
  });

  it('has the same folders in payments and consents, except for settlement and claimed access', () => {
    expect(listRooms('payments').filter((room) => room !== 'settle')).toEqual(
      listRooms('consents').filter((room) => room !== 'access'),
    );
  });

  it('names files in kebab-case, with a role only where a framework or runner reads it', () => {
    const roles =
      /^[a-z0-9-]+(?:\.(?:module|controller|handler|dto|guard|filter|interceptor|projection|consumer|entity|contract|strategy|tables|bench))?(?:\.(?:int|e2e))?(?:\.spec)?\.(?:ts|mjs)$/;
    expect(written.filter((file) => !roles.test(basename(file)) && !/migrations\/\d+-/.test(file))).toEqual(
      [],
    );
  });

  it.each(['payments', 'consents'])('lists every handler of %s in commands.ts or queries.ts', (app) => {
    const source = `apps/${app}/src`;
    const listed = ['commands.ts', 'queries.ts'].flatMap((list) =>
      [...readText(`${source}/${list}`).matchAll(/'\.\/(.+\.handler)\.js'/g)].map(
        ([, path]) => `${source}/${path}.ts`,
      ),
    );
    const handlers = written.filter((file) => file.startsWith(`${source}/`) && file.endsWith('.handler.ts'));
    expect(listed.sort()).toEqual(handlers.sort());
  });

  it('has no barrel file, except the one that defines the order of the checks', () => {
    const indexes = written.filter((file) => file.endsWith('/index.ts') && !file.includes('/migrations/'));
    expect(indexes).toEqual(['apps/gateway/src/checks/index.ts']);
  });

  it('sets statement and transaction timeouts in one place (libs/postgres/src/pool.ts), except in migrations, initial sandbox data, partition exchange and a fault run', () => {
    const places = matching(
      written.filter((file) => !isSpec(file) && !file.includes('migrations/')),
      /\b(?:statement|transaction)_timeout\b/,
    );
    expect([...new Set(places.map((place) => place.split(':')[0]))].sort()).toEqual([
      'libs/core-banking/src/sandbox/seed.ts',
      'libs/custody/src/archive/exchange-partition.ts',
      'libs/postgres/src/pool.ts',
      'test/chaos/src/faults/lasting-faults.ts',
    ]);
  });

  it('mentions no unfinished work in comments', () => {
    expect(
      matching(written, /\b(?:TODO|FIXME|HACK)\b(?!\|)/).filter((place) => !place.includes('tidy.spec.ts')),
    ).toEqual([]);
  });

  it('disables no lint rules inline', () => {
    expect(
      matching(written, /oxlint-disable|eslint-disable|@ts-ignore|@ts-nocheck|@ts-expect-error/).filter(
        (place) => !place.includes('tidy.spec.ts'),
      ),
    ).toEqual([]);
  });

  it('reads the time only from the Clock', () => {
    // Deadlines between processes are technical, so they use real time.
    const adapters = new Set(['libs/runtime/src/clock.ts', 'libs/calls/src/deadline.ts']);
    const product = written.filter(
      (file) => /^(?:apps|libs|examples|tools|test)\//.test(file) && !isSpec(file) && !adapters.has(file),
    );
    expect(matching(product, /new Date\(\)|Date\.now\(|Math\.random\(/)).toEqual([]);
  });

  it('names every app, library, tool and test project in docs/map.md', () => {
    const map = readText('docs/map.md');
    expect(
      projects()
        .filter((project) => !map.includes(`\`${project.folder}\``))
        .map((project) => project.folder),
    ).toEqual([]);
  });

  it('keeps the README at 90 lines or fewer, and its picture at 200 kB or less', () => {
    expect(readLines('README.md').length).toBeLessThanOrEqual(91);
    const [, picture = ''] = /!\[[^\]]*\]\(([^)]+)\)/.exec(readText('README.md')) ?? [];
    expect(statSync(join(root, picture)).size).toBeLessThanOrEqual(200_000);
  });

  it('limits the lines of the pages at the root to 100 columns, the width of a terminal', () => {
    const pages = files.filter((file) => /^[A-Z]+\.md$/.test(file));
    expect(pages).toEqual(expect.arrayContaining(['CONTRIBUTING.md', 'README.md']));
    expect(
      pages.flatMap((page) =>
        readLines(page).flatMap((line, index) => ([...line].length > 100 ? [`${page}:${index + 1}`] : [])),
      ),
    ).toEqual([]);
  });

  it('has the licence from LICENSE in every package, and in .nvmrc the Node version that npm installs', () => {
    const manifests = files.filter((file) => /^(?:\w+\/[\w-]+\/)?package\.json$/.test(file));
    expect(readText('LICENSE')).toContain('Apache License');
    expect(manifests.length).toBeGreaterThan(20);
    expect(manifests.filter((file) => !readText(file).includes('"license": "Apache-2.0"'))).toEqual([]);
    const { devDependencies } = JSON.parse(readText('package.json')) as {
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    expect(readText('.nvmrc').trim()).toBe(devDependencies['node']);
  });

  it('gives each decision one number, the same as in its heading, and lists merged numbers under History', () => {
    const decisions = files.filter((file) => /^docs\/adr\/\d{4}-.*\.md$/.test(file)).sort();
    const numbers = decisions.map((file) => Number(file.slice('docs/adr/'.length).slice(0, 4)));
    expect(
      decisions.filter((file, index) => !readText(file).startsWith(`# ${numbers[index] ?? ''}. `)),
    ).toEqual([]);
    const merged = decisions.flatMap((file) =>
      [...(/\*\*History\.\*\*.*$/s.exec(readText(file))?.[0].matchAll(/\b\d+\b/g) ?? [])].map(Number),
    );
    const known = new Set([...numbers, ...merged]);
    expect(known.size).toBeGreaterThan(72);
    expect(numbers).toEqual([...new Set(numbers)]);
    const upToLast = Array.from({ length: Math.max(...known) }, (_value, index) => index + 1);
    expect(upToLast.filter((number) => !known.has(number))).toEqual([]);
  });

  it('begins every how-to recipe with its title', () => {
    const recipes = files.filter((file) => /^docs\/how-to\/[^/]+\.md$/.test(file));
    expect(recipes.length).toBeGreaterThan(20);
    expect(recipes.filter((file) => !/^# \S/.test(readText(file)))).toEqual([]);
  });

  it('links only to targets that exist', () => {
    const links = files
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) =>
        [...readText(file).matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map((match) => ({
          file,
          to: match[1] ?? '',
        })),
      );
    expect(links.length).toBeGreaterThan(20);
    expect(
      links
        .filter(({ file, to }) => !existsSync(join(root, dirname(file), to)))
        .map(({ file, to }) => `${file} links to ${to}`),
    ).toEqual([]);
  });

  it('contains no absolute machine path and no registry host', () => {
    const texts = files.filter(
      (file) =>
        /\.(?:ts|mjs|json|md|ya?ml|conf|sql|sh)$|Dockerfile|run$/.test(file) &&
        !file.endsWith('tidy.spec.ts'),
    );
    expect(
      matching(texts, /\/(?:home|Users)\/[a-z]|\/work\/(?:main|shared)|\/root\/|"resolved": "http/),
    ).toEqual([]);
  });
});
