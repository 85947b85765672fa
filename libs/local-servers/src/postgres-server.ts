import { execFileSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Child, readCommand, type RunAs, startChild, readTail, untilReady } from './child.js';
import { freePort, isPortFree } from './free-port.js';
import { type PostgresBinaries, postgresBinaries } from './postgres-binaries.js';
import { mayReach, postgresUser } from './postgres-user.js';

export interface PostgresOptions {
  /** The data folder; created and initialised at the first start, then kept. */
  readonly dataDir: string;
  /** If absent, a free port is used. */
  readonly port?: number;
  /**
   * True turns fsync, `full_page_writes` and `synchronous_commit` on; false turns all three off, for tests whose data
   * need not survive a crash. By default, the configuration in the data folder applies. It has all three on, except in a
   * copy of the tests' template, which has only `synchronous_commit` on: its commits survive SIGKILL of the server, but
   * not a failure of the machine.
   */
  readonly durable?: boolean;
  /** The server's log file. By default, the path of the data folder with `.log` appended. */
  readonly logFile?: string;
}
export interface PostgresServer {
  readonly port: number;
  readonly pid: number;
  readonly dataDir: string;
  /** Settles once the server has ended, for whatever reason. */
  readonly exited: Promise<void>;
  /**
   * Returns the connection string of a role. `postgres` is the superuser; {@link prepareDatabases} creates the
   * other roles.
   */
  url(role?: string): string;
  stop(): Promise<void>;
  /** Sends SIGKILL to the postmaster, as in a crash. */
  kill(): void;
}

/** The name of the database that the services use. */
export const databaseName = 'xs2a';

/** Derives a role's password from the superuser's password, which is random per data folder. */
export const rolePassword = (superuserPassword: string, role: string): string =>
  role === 'postgres'
    ? superuserPassword
    : createHmac('sha256', superuserPassword).update(role).digest('base64url');

const toPasswordFile = (dataDir: string): string => join(dataDir, 'superuser.password');

/**
 * The data folder of a stopped cluster that tests copy instead of running `initdb`; all copies have the same
 * password.
 */
const template = process.env.XS2A_POSTGRES_TEMPLATE;

const initialise = async (
  folder: string,
  binaries: PostgresBinaries,
  logFile: string,
  runAs: RunAs | undefined,
): Promise<void> => {
  const passwordFile = `${folder}.password`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  if (runAs) for (const path of [folder, passwordFile]) chownSync(path, runAs.uid, runAs.gid);
  const initdb = startChild({
    command: binaries.initdb,
    args: [
      `--pgdata=${folder}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-sync',
    ],
    logFile,
    runAs,
  });
  await initdb.exited;
  renameSync(passwordFile, toPasswordFile(folder));
};

const createCluster = async (
  dataDir: string,
  binaries: PostgresBinaries,
  logFile: string,
  runAs: RunAs | undefined,
): Promise<void> => {
  // The files are created under a temporary name first, so that a start killed halfway leaves no incomplete
  // cluster.
  const unfinished = `${dataDir}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  if (template === undefined) await initialise(unfinished, binaries, logFile, runAs);
  else execFileSync('cp', ['-a', template, unfinished]);
  if (!existsSync(join(unfinished, 'global', 'pg_control'))) {
    throw new Error(`PostgreSQL could not create its data in ${dataDir}:\n${readTail(logFile)}`);
  }
  renameSync(unfinished, dataDir);
};

/** Stops a server that outlived the process that started it; removes a stale pid file. */
const clearPredecessor = async (dataDir: string): Promise<void> => {
  const pidFile = join(dataDir, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  const isOurs = (): boolean => readCommand(pid)?.includes(dataDir) ?? false;
  if (isOurs()) process.kill(pid, 'SIGINT');
  for (let tries = 0; tries < 200 && isOurs(); tries += 1) await wait(50);
  rmSync(pidFile, { force: true });
};

const launch = (
  binaries: PostgresBinaries,
  options: PostgresOptions & { port: number; logFile: string },
  runAs: RunAs | undefined,
): Child => {
  const durability =
    options.durable === undefined
      ? {}
      : Object.fromEntries(
          ['fsync', 'full_page_writes', 'synchronous_commit'].map((name) => [
            name,
            options.durable === true ? 'on' : 'off',
          ]),
        );
  const settings: Readonly<Record<string, string | number>> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: options.port,
    // The calculation in docs/how-to/upgrade.md assumes this number.
    max_connections: 230,
    shared_buffers: '64MB',
    ...durability,
    max_wal_size: '1GB',
    password_encryption: 'scram-sha-256',
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'off',
    // SQL statements and the DETAIL of errors may contain names and IBANs, so neither is logged.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_parameter_max_length: 0,
    log_parameter_max_length_on_error: 0,
  };
  return startChild({
    command: binaries.postgres,
    args: [
      '-D',
      options.dataDir,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    logFile: options.logFile,
    runAs,
    orphanSignal: 'INT',
  });
};

const isReady = (dataDir: string, child: Child): boolean => {
  try {
    const lines = readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === child.pid && ['ready', 'standby'].includes(lines[7]?.trim() ?? '');
  } catch {
    return false;
  }
};

/**
 * Starts PostgreSQL 18 on the loopback interface, with scram passwords and without socket files. Also starts on
 * the data of a killed server. If the start fails, the error contains the last lines of the log.
 */
export const startPostgres = async (options: PostgresOptions): Promise<PostgresServer> => {
  const dataDir = resolve(options.dataDir);
  const logFile = options.logFile ?? `${dataDir}.log`;
  const user = postgresUser();
  const binaries = await postgresBinaries(user);
  mkdirSync(dirname(dataDir), { recursive: true });
  const runAs = user && { ...user, needsAccess: !mayReach(user, dirname(dataDir)) };
  if (!existsSync(dataDir)) await createCluster(dataDir, binaries, logFile, runAs);
  await clearPredecessor(dataDir);
  const port = options.port ?? (await freePort());
  if (!(await isPortFree(port))) throw new Error(`PostgreSQL cannot start: port ${port} is taken`);
  const password = readFileSync(toPasswordFile(dataDir), 'utf8').trim();

  // After a SIGKILL, the old backends keep the shared memory for a moment. The new server then fails to
  // start, so the start is repeated.
  for (let tries = 1; ; tries += 1) {
    const child = launch(binaries, { ...options, dataDir, port, logFile }, runAs);
    const outcome = await untilReady(child, 30_000, () => isReady(dataDir, child));
    if (outcome === 'ready') {
      return {
        port,
        pid: child.pid,
        dataDir,
        exited: child.exited,
        url: (role = 'postgres') =>
          `postgres://${role}:${rolePassword(password, role)}@127.0.0.1:${port}/${role === 'postgres' ? 'postgres' : databaseName}`,
        stop: () => child.stop('SIGINT', 10_000),
        kill: () => child.kill('SIGKILL'),
      };
    }
    await child.stop('SIGKILL', 0);
    if (outcome === 'late' || tries === 20 || !/shared memory block|lock file/.test(readTail(logFile, 4))) {
      throw new Error(
        `PostgreSQL did not start on port ${port} with the data in ${dataDir}:\n${readTail(logFile)}`,
      );
    }
    await wait(150);
  }
};
