import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { isAscii } from 'node:buffer';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import { root } from '../layout.js';

const apps = join(root, 'apps');
const services = readdirSync(apps).filter((app) => existsSync(join(apps, app, 'src/config.ts')));
const mainFile = (app: string): string => join(apps, app, 'dist/main.js');

describe('a built service (ADR 1)', () => {
  it('shows the source line of an error although its files are bundled', () => {
    const { stdout } = spawnSync(process.execPath, ['--enable-source-maps', mainFile('payments')], {
      encoding: 'utf8',
      env: {
        NATS_URL: 'tls://localhost:1',
        DATABASE_URL: 'postgres://a@127.0.0.1:1/a?sslmode=verify-full',
        HEALTH_PORT: '1',
        PROFILE_FILE: '/nowhere.json',
        MASTER_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
      },
    });
    const { stack } = (JSON.parse(stdout) as { readonly error: { readonly stack: readonly string[] } }).error;
    const lines = readFileSync(join(root, 'libs/runtime/src/profile-file.ts'), 'utf8').split('\n');
    const [, line = ''] = /libs\/runtime\/src\/profile-file\.ts:(\d+):/.exec(stack.join('\n')) ?? [];
    expect(lines[Number(line) - 1]).toContain('readFileSync');
    expect(stack.join('\n')).toMatch(/apps\/payments\/src\/main\.ts:\d+:/);
  });

  it.each(services)('%s consists of ASCII files, of which V8 keeps one byte a character', (app) => {
    const folder = join(apps, app, 'dist/bundle');
    const files = [mainFile(app), ...readdirSync(folder).map((file) => join(folder, file))];
    const others = files.filter((file) => file.endsWith('.js') && !isAscii(readFileSync(file)));
    expect(others).toEqual([]);
  });

  it.each(services)('%s creates its logger without parsing a source map', (app) => {
    const packages = readFileSync(join(apps, app, 'dist/bundle/main-packages.js'), 'utf8');
    expect([...packages.matchAll(/\bgetCallSites\(.*?\)/g)].map(([call]) => call)).toEqual([
      'getCallSites({ sourceMap: false })',
    ]);
  });

  it('loads class-validator only if its code imports it', () => {
    const imports = /^import [^;\n]*"[^"]*main-validation\.js";$/m;
    const users = services.filter((app) =>
      ['main.js', 'bundle/main-start.js', 'bundle/main-packages.js']
        .map((file) => join(apps, app, 'dist', file))
        .some((file) => existsSync(file) && imports.test(readFileSync(file, 'utf8'))),
    );
    expect(users).toEqual(['accounts', 'auth', 'gateway', 'portal']);
  });

  it('loads typeorm from the bundle, and not a second time from node_modules', () => {
    const packages = readFileSync(join(apps, 'console/dist/bundle/main-packages.js'), 'utf8');
    expect(packages).toContain('function resolveTypeormExport(');
    expect(packages).not.toMatch(/\brequire(?:\$\d+)?\("typeorm"\)/);
  });

  it.each(services)('%s loads OpenTelemetry’s SDK only when tracing is turned on (ADR 76)', (app) => {
    const folder = join(apps, app, 'dist/bundle');
    const files = [mainFile(app), ...readdirSync(folder).map((file) => join(folder, file))];
    const thatMatch = (pattern: RegExp): string[] =>
      files
        .filter((file) => file.endsWith('.js') && pattern.test(readFileSync(file, 'utf8')))
        .map((file) => basename(file));
    expect(thatMatch(/BatchSpanProcessorBase = class/)).toEqual(['main-tracing.js']);
    // main-tracing.js itself imports the files of machine ids, which import it.
    const importers = thatMatch(/^import [^;\n]*"[^"]*main-tracing\.js";$/m);
    expect(importers.filter((file) => !file.startsWith('main-getMachineId-'))).toEqual([
      'main-export-spans.js',
    ]);
    expect(thatMatch(/^import [^;\n]*"[^"]*main-export-spans\.js";$/m)).toEqual([]);
    expect(thatMatch(/\bimport\("[^"]*main-export-spans\.js"\)/)).toHaveLength(1);
  });

  it.each(services)('%s imports only packages that are not bundled', (app) => {
    const folder = join(apps, app, 'dist/bundle');
    const files = [mainFile(app), ...readdirSync(folder).map((file) => join(folder, file))];
    const named = files
      .filter((file) => file.endsWith('.js'))
      .flatMap((file) => [
        ...readFileSync(file, 'utf8').matchAll(/^(?:import|export) [^;\n]*?from "([^"]+)";$/gm),
      ])
      .map(([, name = '']) => name)
      .filter((name) => !/^(node:|\.)/.test(name) && !isBuiltin(name));
    expect(new Set(named)).toEqual(new Set(app === 'auth' ? ['oidc-provider'] : []));
  });
});
