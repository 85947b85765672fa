import type { Sandbox } from '@xs2a/sandbox/sandbox';
import { execFile } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { Period } from '../load/client-log.js';
import { killFamily } from './process-family.js';

const run = promisify(execFile);
const olderName = '-before';
/** The time limit for a statement and for the copy, in milliseconds. */
const withinMs = 20_000;
/** Files of the running server that a copy must not contain. */
const serverFiles: ReadonlySet<string> = new Set(['postmaster.pid', 'postmaster.opts']);

/** A copy of a running PostgreSQL's data. */
export interface DatabaseCopy {
  readonly folder: string;
  /** A `performance.now` time. The copy contains everything acknowledged before it. */
  readonly from: number;
}

/**
 * Makes a base backup with PostgreSQL's own functions ("Making a Base Backup Using the Low Level API" in its
 * documentation), including the write-ahead log up to the end of the backup. A server started on the copy recovers
 * to that point.
 */
export const copyDatabase = async (sandbox: Sandbox): Promise<DatabaseCopy> => {
  const data = sandbox.postgres.current.dataDir;
  const folder = `${data}${olderName}`;
  rmSync(folder, { recursive: true, force: true });
  const connectionString = sandbox.databaseUrl('postgres');
  const session = new Client({ connectionString, query_timeout: withinMs });
  session.on('error', () => undefined);
  try {
    await session.connect();
    await session.query("SELECT pg_backup_start('older database', fast => true)");
    await copyFiles(data, folder);
    const stopped = await session.query<{ labelfile: string }>(
      'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
    );
    const label = stopped.rows[0]?.labelfile ?? '';
    writeFileSync(join(folder, 'backup_label'), label);
    ownedAs(data, join(folder, 'backup_label'));
    const from = performance.now();
    const current = await session.query<{ segment: string }>(
      'SELECT pg_walfile_name(pg_current_wal_insert_lsn()) AS segment',
    );
    await copyLog(data, folder, firstSegmentIn(label), current.rows[0]?.segment ?? '');
    return { folder, from };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  } finally {
    // If the session is lost, it has already ended, and the error above is the relevant one.
    await session.end().catch(() => undefined);
  }
};

/**
 * Kills the server with kill -9, then starts a server on the same port with the copied data. Before it accepts
 * connections, `onGone` is called with the period whose acknowledgements may be lost.
 */
export const goBackTo = async (
  { postgres }: Sandbox,
  { folder, from }: DatabaseCopy,
  onGone: (undone: Period) => void,
): Promise<void> => {
  const data = folder.slice(0, -olderName.length);
  const lost = `${data}-lost`;
  killFamily(postgres.pid);
  // The sandbox must not restart the killed server.
  await postgres.stop();
  onGone({ from, to: performance.now() });
  renameSync(data, lost);
  renameSync(folder, data);
  await postgres.start();
  rmSync(lost, { recursive: true, force: true });
};

const firstSegmentIn = (label: string): string => {
  const segment = /^START WAL LOCATION: .* \(file ([0-9A-F]{24})\)/.exec(label)?.[1];
  if (segment === undefined) throw new Error('the backup label names no write-ahead log');
  return segment;
};

/**
 * Copies everything except the write-ahead log. Files that the server removes during the copy are skipped, because
 * a backup does not need them.
 */
const copyFiles = async (data: string, folder: string): Promise<void> => {
  makeFolder(data, folder);
  const names = readdirSync(data).filter((name) => name !== 'pg_wal' && !serverFiles.has(name));
  const paths = names.map((name) => join(data, name));
  await copy(paths, folder).catch((error: unknown) => {
    const { stderr = '' } = error as { stderr?: string };
    const lines = stderr.split('\n').filter(Boolean);
    if (lines.length === 0 || lines.some((line) => !line.includes('No such file'))) throw error;
  });
};

/** Copies the write-ahead log segments and the timeline history, which a standby of the copy needs. */
const copyLog = async (data: string, folder: string, first: string, last: string): Promise<void> => {
  const source = join(data, 'pg_wal');
  const target = join(folder, 'pg_wal');
  makeFolder(source, target);
  const names = readdirSync(source);
  const histories = names.filter((name) => name.endsWith('.history'));
  const segments = names
    .filter((name) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last)
    .sort();
  if (segments[0] !== first) throw new Error('the write-ahead log of the copy is gone already');
  const paths = [...histories, ...segments].map((name) => join(source, name));
  await copy(paths, target);
};

const copy = async (paths: readonly string[], folder: string): Promise<void> => {
  await run('cp', ['-a', ...paths, folder], { timeout: withinMs, env: { ...process.env, LC_ALL: 'C' } });
};

const makeFolder = (as: string, folder: string): void => {
  mkdirSync(folder, { mode: 0o700 });
  ownedAs(as, folder);
};

const ownedAs = (as: string, path: string): void => {
  const { uid, gid } = statSync(as);
  chownSync(path, uid, gid);
};
