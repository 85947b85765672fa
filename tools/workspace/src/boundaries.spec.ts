import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { listImports, isSpec, type Project, projects, repositoryFiles, root, readText } from './sources.js';

/** The allowed imports. A library that is not listed must not import any of our libraries. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  events: [],
  domain: ['events'],
  observability: [],
  html: [],
  contracts: ['domain'],
  doctor: ['calls', 'contracts', 'observability', 'runtime'],
  refusals: ['domain', 'html'],
  qwac: ['domain'],
  'tpp-client': [],
  migrations: ['postgres'],
  postgres: ['observability'],
  nats: ['contracts', 'observability', 'postgres'],
  calls: ['contracts', 'domain', 'nats', 'observability'],
  consumers: ['calls', 'domain', 'events', 'nats', 'observability', 'postgres'],
  runtime: ['calls', 'contracts', 'domain', 'nats', 'observability', 'postgres'],
  'event-store': ['calls', 'events', 'nats', 'observability', 'postgres', 'runtime'],
  custody: ['domain', 'event-store', 'events', 'observability', 'postgres', 'runtime'],
  resources: ['contracts', 'custody', 'domain', 'event-store', 'events', 'runtime'],
  authorisations: ['calls', 'contracts', 'domain', 'event-store', 'runtime'],
  'core-banking': ['calls', 'contracts', 'domain', 'nats', 'observability', 'postgres', 'runtime'],
  invariants: ['contracts', 'core-banking', 'domain', 'event-store', 'postgres', 'resources', 'runtime'],
  'local-servers': ['nats'],
};
const libraries = Object.keys(mayImport);
const ofAnApp = libraries.filter((name) => name !== 'local-servers' && name !== 'tpp-client');
/** Examples are not part of the bank. They use only its public interface, not its rules and contracts. */
const outside: Readonly<Record<string, readonly string[]>> = {
  'demo-tpp': ['client', 'html', 'observability', 'runtime'],
  'staff-provider': ['html', 'observability', 'runtime'],
};
/** The operator command also reads every service's tables and acts as a TPP. */
const operatorCommand = 'operator-cli';
const withTables = [
  'accounts',
  'auth',
  'console',
  'consents',
  'notifications',
  'payments',
  'settlement-worker',
];
const ofTheOperator = new Set([...libraries, ...withTables]);
/** The developer portal shows the API description, which the gateway makes from its rules. */
const ofThePortal = new Set([...ofAnApp, 'gateway']);
/** The operator command's specs run it against a sandbox. */
const toolsOfItsSpecs = new Set(['sandbox', 'test-support']);

const all = projects();
const packageName = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
const listSources = (project: Project): string[] =>
  repositoryFiles().filter((file) => file.startsWith(`${project.folder}/src/`) && file.endsWith('.ts'));
const ours = (specifier: string): string | undefined =>
  specifier.startsWith('@xs2a/') ? specifier.split('/')[1] : undefined;

/** Projects outside the bank may import everything, including development dependencies. */
const isFree = ({ kind }: Project): boolean => kind === 'tools' || kind === 'test';
const allowed = (project: Project, file: string, target: string): boolean => {
  if (target === project.name || isFree(project)) return true;
  if (project.name === operatorCommand)
    return ofTheOperator.has(target) || (isSpec(file) && toolsOfItsSpecs.has(target));
  if (project.name === 'portal' && ofThePortal.has(target)) return true;
  if (isSpec(file)) return libraries.includes(target);
  return (
    project.kind === 'apps' ? ofAnApp : (outside[project.name] ?? mayImport[project.name] ?? [])
  ).includes(target);
};

/** For each source file of a project, the files of the same project that it imports, including type-only imports. */
const importsWithin = (project: Project): ReadonlyMap<string, readonly string[]> =>
  new Map(
    listSources(project).map((file): [string, string[]] => [
      file,
      listImports(readText(file))
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => join(dirname(file), specifier).replace(/\.js$/, '.ts')),
    ]),
  );

/** Returns the files of the first import cycle, with the first file repeated at the end; empty if there is no cycle. */
const circleAmong = (imports: ReadonlyMap<string, readonly string[]>): readonly string[] => {
  const done = new Set<string>();
  const from = (file: string, way: readonly string[]): readonly string[] => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const next of imports.get(file) ?? []) {
      const circle = from(next, [...way, file]);
      if (circle.length > 0) return circle;
    }
    done.add(file);
    return [];
  };
  for (const file of imports.keys()) {
    const circle = from(file, []);
    if (circle.length > 0) return circle;
  }
  return [];
};

describe('boundaries', () => {
  it('cover every nx project, and no project is empty', () => {
    const seenByNx = JSON.parse(
      execFileSync(
        process.execPath,
        [join(root, 'node_modules/nx/dist/bin/nx.js'), 'show', 'projects', '--json'],
        {
          cwd: root,
          encoding: 'utf8',
          env: { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false' },
        },
      ),
    ) as string[];
    expect(all.map((project) => `@xs2a/${project.name}`).sort()).toEqual(
      seenByNx.filter((name) => name !== 'xs2a').sort(),
    );
    expect(all.filter((project) => listSources(project).length === 0).map((project) => project.name)).toEqual(
      [],
    );
    expect(
      all
        .filter((project) => project.kind === 'libs')
        .map((project) => project.name)
        .sort(),
    ).toEqual([...libraries].sort());
  });

  it('keep the event store free of the bank: no file of it, not even a spec, imports rules, contracts or resources', () => {
    const engine = all.filter(({ name }) => name === 'event-store' || name === 'events');
    const ofTheBank = new Set(['domain', 'contracts', 'custody', 'resources', 'authorisations']);
    const wrong = engine
      .flatMap(listSources)
      .filter((file) => listImports(readText(file)).some((name) => ofTheBank.has(ours(name) ?? '')));
    expect(engine).toHaveLength(2);
    expect(wrong).toEqual([]);
  });

  it.each(all.map((project): [string, Project] => [project.folder, project]))(
    'permit every import of %s',
    (_folder, project) => {
      const wrong = listSources(project).flatMap((file) =>
        listImports(readText(file))
          .map(ours)
          .filter((target): target is string => target !== undefined && !allowed(project, file, target))
          .map((target) => `${file} imports ${target}`),
      );
      expect(wrong).toEqual([]);
    },
  );

  it.each(all.map((project): [string, Project] => [project.folder, project]))(
    'require %s to declare every import, and no unused internal package',
    (_folder, project) => {
      const imports = listSources(project).flatMap((file) =>
        listImports(readText(file))
          .filter((specifier) => !specifier.startsWith('.') && !isBuiltin(specifier))
          .map((specifier) => ({ name: packageName(specifier), spec: isSpec(file) })),
      );
      const rootManifest = JSON.parse(readText('package.json')) as {
        devDependencies: Record<string, string>;
      };
      const development = new Set([
        ...project.developmentDependencies,
        ...Object.keys(rootManifest.devDependencies),
      ]);
      const missing = imports.filter(
        ({ name, spec }) =>
          name !== `@xs2a/${project.name}` &&
          !project.dependencies.includes(name) &&
          !((spec || isFree(project)) && development.has(name)),
      );
      expect([...new Set(missing.map(({ name }) => name))].sort()).toEqual([]);
      const unused = project.dependencies.filter(
        (name) => name.startsWith('@xs2a/') && !imports.some((one) => one.name === name),
      );
      expect(unused).toEqual([]);
    },
  );

  it.each(all.map((project): [string, Project] => [project.folder, project]))(
    'keep the files of %s free of import cycles',
    (_folder, project) => {
      expect(circleAmong(importsWithin(project))).toEqual([]);
    },
  );

  it('keep product code from importing tools or tests', () => {
    const unshipped = new Set(all.filter(isFree).map(({ name }) => name));
    const wrong = all
      .filter((project) => !isFree(project))
      .flatMap((project) => listSources(project))
      .filter((file) => !isSpec(file))
      .flatMap((file) =>
        listImports(readText(file))
          .map(ours)
          .filter((target): target is string => target !== undefined && unshipped.has(target))
          .map((target) => `${file} imports ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  it('are checked by code that finds an import cycle in an example', () => {
    const imports = new Map([
      ['a.ts', ['b.ts']],
      ['b.ts', ['c.ts', 'd.ts']],
      ['d.ts', ['b.ts']],
    ]);
    expect(circleAmong(imports)).toEqual(['b.ts', 'd.ts', 'b.ts']);
  });

  it.each([
    ['domain', ['events']],
    ['events', []],
  ])('keep libs/%s pure: besides itself it imports only %j', (name, pure: readonly string[]) => {
    const project = all.find((one) => one.name === name);
    if (project === undefined) throw new Error(`libs/${name} does not exist`);
    const foreign = listSources(project)
      .filter((file) => !isSpec(file))
      .flatMap((file) => listImports(readText(file)))
      .filter((specifier) => !specifier.startsWith('.') && !pure.includes(ours(specifier) ?? ''));
    expect(foreign).toEqual([]);
    expect(project.dependencies).toEqual(pure.map((one) => `@xs2a/${one}`));
  });
});
