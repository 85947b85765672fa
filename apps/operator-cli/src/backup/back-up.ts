import { readAnchors } from '@xs2a/event-store/verification/log-anchor';
import { createPool } from '@xs2a/postgres/pool';
import type { PoolClient } from 'pg';
import type { Connections } from '../connections.js';
import { resourceNames } from '../events/resource-option.js';
import { version } from '@xs2a/runtime/release';
import { checkClient, connectionOf, runClient } from './client-programs.js';
import type { BackupManifest } from './manifest.js';
import { refuseTarget, writeBackup } from './backup-files.js';

/** The maximum duration of a backup. PostgreSQL cannot remove rows that are deleted while a backup is running. */
const maxBackupMs = 24 * 60 * 60 * 1000;

interface Moment {
  readonly snapshot: string;
  readonly takenAt: string;
  readonly server: string;
  readonly anchors: readonly string[];
}

/**
 * Opens a transaction whose snapshot pg_dump uses, and reads the end positions of the event logs in that
 * transaction.
 */
const beginMoment = async (session: PoolClient): Promise<Moment> => {
  await session.query('SET idle_in_transaction_session_timeout = 0');
  await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const { rows } = await session.query<{ snapshot: string; taken_at: Date; server: string }>(
    `SELECT pg_export_snapshot() AS snapshot, now() AS taken_at, current_setting('server_version') AS server`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('PostgreSQL exported no snapshot');
  const anchors: string[] = [];
  for (const resource of resourceNames) {
    await session.query(`SET LOCAL search_path = ${resource}`);
    const { end } = await readAnchors(session);
    anchors.push(`${resource}:${end.pos}:${end.hash}`);
  }
  return { snapshot: row.snapshot, takenAt: row.taken_at.toISOString(), server: row.server, anchors };
};

/**
 * Writes the whole database to a file in custom format with pg_dump, and a manifest with the backup's metadata to
 * a second file in the same directory. Both files appear only once they are complete. Throws Refusal if pg_dump
 * fails.
 */
export const backUp = async (connections: Connections, file: string): Promise<BackupManifest> => {
  refuseTarget(file);
  const pool = createPool({
    url: connections.ownerDatabaseUrl,
    name: 'xs2a-backup',
    max: 1,
    transactionMs: maxBackupMs,
    answerWithinMs: 60_000,
  });
  try {
    const session = await pool.connect();
    // Once pg_dump has the snapshot, it no longer needs this session. If the session fails earlier, the next
    // query fails and reports the reason.
    session.on('error', () => undefined);
    try {
      const { snapshot, ...moment } = await beginMoment(session);
      const program = await checkClient('pg_dump', moment.server);
      const { url, env } = connectionOf(connections.ownerDatabaseUrl);
      return await writeBackup(file, async (unfinished) => {
        const how = ['--format=custom', '--no-password', `--snapshot=${snapshot}`];
        await runClient('pg_dump', [...how, `--file=${unfinished}`, `--dbname=${url}`], env);
        return { release: version, program, ...moment };
      });
    } finally {
      // The connection is closed, so its transaction ends in any case.
      session.release(true);
    }
  } finally {
    await pool.end();
  }
};
