import { readAnchors } from '@xs2a/event-store/verification/log-anchor';
import { createPool } from '@xs2a/postgres/pool';
import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { PoolClient } from 'pg';
import { Refusal } from '../command-line/refusal.js';
import type { Connections } from '../connections.js';
import { resourceNames } from '../events/tail.js';
import { version } from '../root.js';
import { checkClient, connectionOf, runClient } from './client-programs.js';
import { type BackupManifest, digestFile, manifestFile } from './manifest.js';

/** How long a backup may take: for as long PostgreSQL keeps what was removed meanwhile. */
const maxBackupMs = 24 * 60 * 60 * 1000;

interface Moment {
  readonly snapshot: string;
  readonly takenAt: string;
  readonly server: string;
  readonly anchors: readonly string[];
}

/** Opens a transaction whose view of the database pg_dump shares, and reads where the logs end in it. */
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

const refuseTarget = (file: string): void => {
  for (const one of [file, manifestFile(file)])
    if (existsSync(one)) throw new Refusal(`${one} is there already; a backup overwrites nothing.`, 2);
  if (!existsSync(dirname(file)) || !statSync(dirname(file)).isDirectory())
    throw new Refusal(`There is no folder ${dirname(file)}.`, 2);
};

/**
 * Writes the whole database to a file by pg_dump, in its custom format, and what is known of it to the manifest beside it. Both
 * are there only when they are whole. Throws {@link Refusal} when pg_dump cannot do it.
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
  const unfinished = `${file}.unfinished`;
  try {
    const session = await pool.connect();
    // Once pg_dump has the snapshot it needs this session no more; before that the next query fails and says why.
    session.on('error', () => undefined);
    try {
      const { snapshot, ...moment } = await beginMoment(session);
      const program = await checkClient('pg_dump', moment.server);
      const { url, env } = connectionOf(connections.ownerDatabaseUrl);
      writeFileSync(unfinished, '', { mode: 0o600 });
      const how = ['--format=custom', '--no-password', `--snapshot=${snapshot}`];
      await runClient('pg_dump', [...how, `--file=${unfinished}`, `--dbname=${url}`], env);
      const manifest = { release: version, program, ...moment, ...(await digestFile(unfinished)) };
      writeFileSync(manifestFile(file), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600 });
      renameSync(unfinished, file);
      return manifest;
    } finally {
      // Its transaction is over, however it ended.
      session.release(true);
    }
  } finally {
    rmSync(unfinished, { force: true });
    await pool.end();
  }
};
