// Fills the rows of a large table, a page at a time, while services write to it.
import type { QueryRunner } from 'typeorm';
import { setTimeout as wait } from 'node:timers/promises';
import { onceUnlocked } from './lock-waits.js';

type Session = Pick<QueryRunner, 'query'>;

export interface Backfill {
  /** The name under which the progress is kept; unique in the schema. */
  readonly name: string;
  /** The name of the table with its schema, as SQL. */
  readonly table: string;
  /** The column of the primary key, and its type. */
  readonly key: string;
  readonly keyType: 'uuid' | 'bigint' | 'text';
  /** The assignments behind SET: `due_at = …`; the row is called `t`. */
  readonly set: string;
  /** The condition for rows that are to be filled; the row is called `t`. It must be false for a row that was filled. */
  readonly where: string;
}

/** A writer waits for a row as long as its page takes at most; pages become smaller or larger until they take this long. */
const pageMs = 200;
const rows = { first: 1000, least: 1000, most: 10_000 } as const;
/** The longest pause after a page: so long that pages take half of the time at most, unless the machine is slow. */
const maxPauseMs = 250;
/** Each try lasts half a second, the session's `lock_timeout`: together a quarter of an hour for a session that holds a row. */
const maxTries = 1800;

/** The table of how far backfills have come. It goes when no migration is left to be run. */
const progressTable = `CREATE TABLE IF NOT EXISTS migration_progress (
  name text PRIMARY KEY,
  key text,
  changed bigint NOT NULL,
  finished boolean NOT NULL
)`;

/** SQL that removes what backfills keep. */
export const eraseProgress = 'DROP TABLE IF EXISTS migration_progress';

interface Progress {
  readonly key: string | null;
  /** The number of rows changed, as text because the driver reads a bigint so. */
  readonly changed: string;
  readonly finished: boolean;
}

/** One page: rows behind `$1` in order of the key. Only rows that need it are locked, in the order in which appends lock theirs. */
const pageText = ({ table, key, keyType, set, where }: Backfill): string => `
WITH page AS MATERIALIZED (
  SELECT ${key} AS key FROM ${table} WHERE $1::${keyType} IS NULL OR ${key} > $1::${keyType} ORDER BY ${key} LIMIT $2
), due AS MATERIALIZED (
  SELECT t.${key} AS key FROM ${table} t JOIN page ON t.${key} = page.key WHERE ${where} ORDER BY t.${key} FOR NO KEY UPDATE OF t
), filled AS (
  UPDATE ${table} t SET ${set} FROM due WHERE t.${key} = due.key RETURNING 1
), kept AS (
  UPDATE migration_progress SET
    key = coalesce((SELECT page.key::text FROM page ORDER BY page.key DESC LIMIT 1), migration_progress.key),
    changed = changed + (SELECT count(*) FROM filled),
    finished = NOT EXISTS (SELECT FROM page)
  WHERE name = $3
  RETURNING key, changed, finished
)
SELECT key, changed, finished FROM kept`;

/**
 * Fills rows page by page, each page and how far it came in one statement and one transaction: after an interruption it continues
 * where it stood. There is a pause after each page that changed something, as long as the page took. Only for a migration with `transaction = false`.
 * Returns the number of rows it has changed, those of earlier runs included.
 */
export const backfill = async (session: Session, of: Backfill): Promise<number> => {
  await session.query(progressTable);
  let at = await readProgress(session, of.name);
  let size: number = rows.first;
  while (!at.finished) {
    const begun = performance.now();
    const { key, changed } = at;
    at = await onceUnlocked(async () => readPage(session, of, { key, size }), { maxTries, pauseMs: 50 });
    const tookMs = performance.now() - begun;
    size = nextSize(size, tookMs);
    if (at.changed !== changed) await wait(Math.min(tookMs, maxPauseMs));
  }
  return Number(at.changed);
};

const readProgress = async (session: Session, name: string): Promise<Progress> => {
  await session.query(
    'INSERT INTO migration_progress (name, changed, finished) VALUES ($1, 0, false) ON CONFLICT DO NOTHING',
    [name],
  );
  return onlyRow(
    await session.query('SELECT key, changed, finished FROM migration_progress WHERE name = $1', [name]),
  );
};

const readPage = async (
  session: Session,
  of: Backfill,
  { key, size }: { readonly key: string | null; readonly size: number },
): Promise<Progress> => onlyRow(await session.query(pageText(of), [key, size, of.name]));

const onlyRow = ([row]: readonly Progress[]): Progress => {
  if (row === undefined) throw new Error('the progress row of this backfill was deleted meanwhile');
  return row;
};

/** At most twice as many rows as before, at least half as many: a single page may be slow for another reason. */
const nextSize = (size: number, tookMs: number): number => {
  const factor = Math.min(2, Math.max(0.5, pageMs / tookMs));
  return Math.round(Math.min(rows.most, Math.max(rows.least, factor * size)));
};
