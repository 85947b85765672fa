import { execFile } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { chown, mkdir, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type PostgresOptions, type PostgresServer, startPostgres } from './postgres-server.js';
import { postgresUser, type SystemUser } from './postgres-user.js';
import { TcpSwitch } from './tcp-switch.js';

export interface StandbyOptions extends PostgresOptions {
  /** If true, the primary waits at each commit until the standby has it on disk (`synchronous_standby_names`). */
  readonly synchronous: boolean;
  /** The name of the standby and its replication slot: lower-case letters, digits and underscores. Default `standby`. */
  readonly name?: string;
}

export interface PostgresStandby extends PostgresServer {
  /**
   * Cuts the link to the primary. An asynchronous primary then commits without the standby; a synchronous primary
   * waits at each commit.
   */
  cutOff(): void;
  /** Restores the link. PostgreSQL reconnects within a few seconds. */
  reconnect(): void;
  /** Resolves once the standby has received everything that the primary has committed so far. */
  caughtUp(): Promise<void>;
  /**
   * Promotes the standby to a primary that accepts writes and has no standby of its own. Stop the old primary
   * first.
   */
  promote(): Promise<void>;
}

/**
 * Folders that are copied without their files, as pg_basebackup does: the files belong to the running server or
 * arrive by replication.
 */
const emptyFolders = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
]);
const leftOut = new Set(['postmaster.pid', 'postmaster.opts', 'pg_internal.init', 'standby.signal']);
const withinMs = 30_000;
const run = promisify(execFile);

const ask = async <Row extends object>(url: string, sql: string, values: unknown[] = []): Promise<Row[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
};

const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
  const end = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${withinMs / 1000} s`);
    await wait(50);
  }
};

/**
 * Copies the files of a running server. A file that disappears during the copy was dropped by the server; the copy
 * learns this when it replays the WAL.
 */
const copyFolder = async (from: string, to: string, owner: SystemUser | undefined): Promise<void> => {
  await mkdir(to, { mode: 0o700 });
  const names = (await readdir(from)).filter((name) => !leftOut.has(name));
  const paths = names.filter((name) => !emptyFolders.has(name)).map((name) => join(from, name));
  const options = { env: { ...process.env, LC_ALL: 'C' } };
  await run('cp', ['-a', ...paths, to], options).catch((error: unknown) => {
    const { stderr = '' } = error as { stderr?: string };
    const lines = stderr.split('\n').filter(Boolean);
    if (lines.length === 0 || lines.some((line) => !line.includes('No such file'))) throw error;
  });
  const made = names.filter((name) => emptyFolders.has(name)).map((name) => join(to, name));
  for (const folder of made) await mkdir(folder, { mode: 0o700 });
  if (owner) for (const folder of [to, ...made]) await chown(folder, owner.uid, owner.gid);
};

/** Takes a base backup through PostgreSQL's low-level interface, because the npm binaries include no pg_basebackup. */
const backUp = async (
  primary: PostgresServer,
  dataDir: string,
  owner: SystemUser | undefined,
): Promise<void> => {
  const client = new Client({ connectionString: primary.url() });
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('standby', fast => true)");
    await copyFolder(primary.dataDir, dataDir, owner);
    const { rows } = await client.query<{ labelfile: string }>(
      'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
    );
    const label = join(dataDir, 'backup_label');
    writeFileSync(label, rows[0]?.labelfile ?? '', { mode: 0o600 });
    if (owner) await chown(label, owner.uid, owner.gid);
  } finally {
    await client.end();
  }
};

/**
 * Sets the primary that the copy follows. The lines are appended, because later lines in the file override the
 * copied ones.
 */
const follow = async (
  dataDir: string,
  { primary, port, name }: { readonly primary: PostgresServer; readonly port: number; readonly name: string },
  owner: SystemUser | undefined,
): Promise<void> => {
  const { username, password } = new URL(primary.url());
  appendFileSync(
    join(dataDir, 'postgresql.auto.conf'),
    [
      `primary_conninfo = 'host=127.0.0.1 port=${port} user=${username} password=${password} application_name=${name}'`,
      `primary_slot_name = '${name}'`,
      "synchronous_standby_names = ''",
      'wal_retrieve_retry_interval = 200ms',
      '',
    ].join('\n'),
  );
  const signal = join(dataDir, 'standby.signal');
  writeFileSync(signal, '', { mode: 0o600 });
  if (owner) await chown(signal, owner.uid, owner.gid);
};

const waitForAll = async (url: string, names: string): Promise<void> => {
  await ask(url, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
  await ask(url, 'SELECT pg_reload_conf()');
};

/**
 * Copies a running primary and starts the copy as its streaming standby, which can be read immediately. Resolves
 * once the standby streams and, if the primary is synchronous, once the primary waits for it. If the copy of a
 * stopped standby already exists, that copy is started again.
 */
export const startStandby = async (
  primary: PostgresServer,
  { synchronous, name = 'standby', ...options }: StandbyOptions,
): Promise<PostgresStandby> => {
  const owner = postgresUser();
  const dataDir = resolve(options.dataDir);
  mkdirSync(dirname(dataDir), { recursive: true });
  if (!existsSync(dataDir)) {
    await ask(primary.url(), 'SELECT pg_create_physical_replication_slot($1, true)', [name]);
    await backUp(primary, dataDir, owner);
  }
  const link = await TcpSwitch.start(primary.port);
  await follow(dataDir, { primary, port: link.port, name }, owner);
  const server = await startPostgres({ ...options, dataDir }).catch(async (error: unknown) => {
    await link.stop();
    throw error;
  });
  void server.exited.then(async () => link.stop());
  const stop = async (): Promise<void> => {
    await server.stop();
    await link.stop();
  };
  try {
    if (synchronous) await waitForAll(primary.url(), name);
    await until(`${name} streams`, async () => {
      const streaming =
        "SELECT FROM pg_stat_replication WHERE application_name = $1 AND state = 'streaming' AND sync_state = $2";
      return (await ask(primary.url(), streaming, [name, synchronous ? 'sync' : 'async'])).length === 1;
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ...server,
    cutOff: () => link.cut(),
    reconnect: () => link.pointAt(primary.port),
    caughtUp: async () => {
      const [now] = await ask<{ lsn: string }>(primary.url(), 'SELECT pg_current_wal_flush_lsn() AS lsn');
      await until(`${name} has caught up`, async () => {
        const replayed = 'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS reached';
        return (await ask<{ reached: boolean }>(server.url(), replayed, [now?.lsn]))[0]?.reached === true;
      });
    },
    promote: async () => {
      await link.stop();
      await ask(server.url(), `SELECT pg_promote(true, ${withinMs / 1000})`);
    },
    stop,
  };
};
