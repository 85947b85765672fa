import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { root } from '@xs2a/runtime/release';
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { tables } from '../migrate/tables.js';
import { ended, parseValues, type Ran } from '../testing/command-process.js';
import type { BackupManifest } from './manifest.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-backup-'));
let postgres: PostgresServer;

/** Creates fakes of the PostgreSQL programs, which are not available from npm. Each fake records how it was called. */
const makePrograms = (name: string, version: string, work: string): string => {
  const bin = join(folder, name);
  mkdirSync(bin);
  for (const program of ['pg_dump', 'pg_restore'])
    writeFileSync(
      join(bin, program),
      `#!/bin/sh
[ "$1" = --version ] && { echo "${program} (PostgreSQL) ${version}"; exit; }
echo "$PGPASSWORD" > ${join(folder, `${name}-password`)}
echo "$@" > ${join(folder, `${name}-arguments`)}
for argument; do case $argument in --file=*) file=\${argument#--file=} ;; esac; done
${work}
`,
      { mode: 0o755 },
    );
  return bin;
};
const noted = (name: string): string => readFileSync(join(folder, name), 'utf8').trim();
const backup = async (
  bin: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Ran> =>
  ended(
    spawn(process.execPath, [join(root, 'apps/operator-cli/dist/main.js'), 'backup', ...args], {
      env: {
        PATH: `${bin}:/usr/bin:/bin`,
        DATABASE_URL: postgres.url('xs2a_owner'),
        NATS_URL: 'nats://127.0.0.1:1',
        SANDBOX: 'true',
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
/** Creates a module that records which files the command syncs to disk, and how it renames them. */
const makeWitness = (notes: string): string => {
  const path = join(folder, 'witness.cjs');
  writeFileSync(
    path,
    `const fs = require('node:fs');
const { openSync, fsyncSync, renameSync } = fs;
const paths = new Map();
const note = (...words) => fs.appendFileSync(${JSON.stringify(notes)}, words.join(' ') + '\\n');
fs.openSync = (path, ...more) => { const handle = openSync(path, ...more); paths.set(handle, path); return handle; };
fs.fsyncSync = (handle) => { note('sync', paths.get(handle)); fsyncSync(handle); };
fs.renameSync = (from, to) => { note('rename', to); renameSync(from, to); };
require('node:module').syncBuiltinESMExports();`,
  );
  return path;
};

beforeAll(async () => {
  postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false });
  await prepareDatabases(postgres.url('postgres'));
  for (const { schema, migrations } of tables)
    await runMigrations({ url: postgres.url('xs2a_owner'), schema, migrations });
}, 60_000);
afterAll(async () => {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the xs2a backup command (docs/how-to/back-up-and-restore.md)', () => {
  const file = join(folder, 'first.dump');

  it('passes a snapshot of the database to pg_dump, and describes the file in a manifest', async () => {
    const bin = makePrograms('good', '18.6', 'echo dumped > "$file"');
    const ran = await backup(bin, ['--to', file, '--json']);
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    const [manifest] = parseValues<BackupManifest>(ran);
    expect(manifest).toEqual(JSON.parse(readFileSync(`${file}.manifest.json`, 'utf8')));
    expect(manifest).toMatchObject({ program: 'pg_dump (PostgreSQL) 18.6', bytes: 7 });
    expect(manifest?.anchors).toEqual([`payments:0:${'0'.repeat(64)}`, `consents:0:${'0'.repeat(64)}`]);
    expect(manifest?.server).toMatch(/^18\./);
    expect(Math.abs(Date.parse(manifest?.takenAt ?? '') - Date.now())).toBeLessThan(60_000);
    expect(noted('good-arguments')).toMatch(/--format=custom --no-password --snapshot=[\w-]+ --file=/);
    const { password } = new URL(postgres.url('xs2a_owner'));
    expect(password).not.toBe('');
    expect([noted('good-password'), noted('good-arguments').includes(password)]).toEqual([password, false]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.unfinished`)).toBe(false);
  });

  it('does not overwrite existing files', async () => {
    const ran = await backup(join(folder, 'good'), ['--to', file]);
    expect([ran.code, ran.stderr]).toEqual([
      2,
      `${file} already exists; a backup does not overwrite files.\n`,
    ]);
    const nowhere = await backup(join(folder, 'good'), ['--to', '/nowhere/x.dump']);
    expect([nowhere.code, nowhere.stderr]).toEqual([2, 'There is no folder /nowhere.\n']);
    expect((await backup(join(folder, 'good'), [])).stderr).toBe('Specify the file: xs2a backup --to FILE\n');
  });

  it('is refused if pg_dump is missing or older than the server', async () => {
    const other = join(folder, 'other.dump');
    const old = await backup(makePrograms('old', '15.18', 'exit 9'), ['--to', other]);
    expect([old.code, old.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^pg_dump \(PostgreSQL\) 15\.18 is older than the server, PostgreSQL 18\.\d+\.\n$/,
      ),
    ]);
    const none = await ended(
      spawn(process.execPath, [join(root, 'apps/operator-cli/dist/main.js'), 'backup', '--to', other], {
        env: {
          PATH: '/nowhere',
          DATABASE_URL: postgres.url('xs2a_owner'),
          NATS_URL: 'nats://127.0.0.1:1',
          SANDBOX: 'true',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    expect([none.code, none.stderr]).toEqual([1, expect.stringMatching(/^pg_dump is not installed\./)]);
    expect(existsSync(other)).toBe(false);
  });

  it('leaves no files behind if pg_dump fails, and reports the error of pg_dump', async () => {
    const other = join(folder, 'failed.dump');
    const bin = makePrograms('failing', '18.6', 'echo half > "$file"; echo "no space left" >&2; exit 1');
    const ran = await backup(bin, ['--to', other]);
    expect([ran.code, ran.stderr]).toEqual([1, 'pg_dump failed: no space left\n']);
    for (const left of [other, `${other}.unfinished`, `${other}.manifest.json`])
      expect(existsSync(left)).toBe(false);
  });

  it('syncs the file to disk before it renames it, and renames the manifest last', async () => {
    const other = join(folder, 'synced.dump');
    const notes = join(folder, 'notes');
    const witnessed = { NODE_OPTIONS: `--require ${makeWitness(notes)}` };
    const ran = await backup(join(folder, 'good'), ['--to', other], witnessed);
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(noted('notes').split('\n')).toEqual([
      `sync ${other}.unfinished`,
      `sync ${other}.manifest.json.unfinished`,
      `rename ${other}`,
      `rename ${other}.manifest.json`,
      `sync ${folder}`,
    ]);
  });

  it('is refused while another backup is being written to the same file', async () => {
    const other = join(folder, 'twice.dump');
    writeFileSync(`${other}.unfinished`, 'half');
    const ran = await backup(join(folder, 'good'), ['--to', other]);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('another backup is writing it')]);
    expect(readFileSync(`${other}.unfinished`, 'utf8')).toBe('half');
  });

  it('keeps its snapshot until pg_dump has finished, and no longer', async () => {
    const owner = new Client({ connectionString: postgres.url('xs2a_owner') });
    await owner.connect();
    const { rows } = await owner.query("SELECT FROM pg_stat_activity WHERE application_name = 'xs2a-backup'");
    await owner.end();
    expect(rows).toEqual([]);
  });
});

describe('the xs2a backup verify command', () => {
  const file = join(folder, 'first.dump');

  it('reads the file to the end, and explains how to restore and inspect the database', async () => {
    const ran = await backup(join(folder, 'good'), ['verify', file]);
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toContain(
      `After a restore: xs2a events verify --trust payments:0:${'0'.repeat(64)} --trust consents:0`,
    );
    expect(noted('good-arguments')).toBe(`--file=/dev/null ${file}`);
  });

  it('detects a file that was changed or truncated, or that pg_restore cannot read', async () => {
    const whole = readFileSync(file);
    const said = async (content: Buffer, bin = 'good'): Promise<unknown> => {
      writeFileSync(file, content);
      const { code, stderr } = await backup(join(folder, bin), ['verify', file]);
      return [code, stderr];
    };
    const changed = Buffer.from(whole);
    changed[0] = 0;
    expect(await said(changed)).toEqual([1, expect.stringContaining('its digest differs')]);
    expect(await said(whole.subarray(1))).toEqual([1, expect.stringContaining('has 6 bytes; it had 7')]);
    expect(await said(whole, 'failing')).toEqual([
      1,
      expect.stringContaining('pg_restore failed: no space left'),
    ]);
    expect(await said(whole)).toEqual([0, '']);
    appendFileSync(`${file}.manifest.json`, 'x');
    expect(await said(whole)).toEqual([2, expect.stringContaining('manifest.json cannot be read')]);
  });
});
