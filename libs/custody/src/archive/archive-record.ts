import type { Pool, PoolClient } from 'pg';
import type { Projection } from '@xs2a/event-store/projections/projection';
import { readArchive } from './archive-file.js';
import type { ArchivedRange } from '@xs2a/event-store/months/archived-log';
import type { ArchivedMonth } from '@xs2a/event-store/months/archived-months';

/** The number of ranges that one statement writes or removes. */
const rangesAtOnce = 500;

/** Thrown if the month cannot be archived or restored, or not yet. The message is for an operator. */
export class NotArchived extends Error {
  override readonly name = 'NotArchived';
}

type File = Pick<ArchivedMonth, 'month' | 'part'>;

/** A projection whose rows of the month stay as they are when it is archived. */
export type KeptProjection = Pick<Projection, 'name' | 'version'>;

/**
 * Throws {@link NotArchived} if a projection has not read the position yet, because it could not read it once the
 * events are archived, or if its rows are of another version, because they could not be rebuilt.
 */
export const mustBeProjected = async (
  session: Pool | PoolClient,
  projections: readonly KeptProjection[],
  lastPos: number,
): Promise<void> => {
  for (const { name, version } of projections) {
    const { rows } = await session.query<{ pos: number; version: number }>(
      'SELECT pos, version FROM projection WHERE name = $1',
      [name],
    );
    const [found] = rows;
    if (found === undefined || found.pos < lastPos)
      throw new NotArchived(
        `the projection ${name} has not read all events of the month yet: see projections list`,
      );
    if (found.version !== version)
      throw new NotArchived(`the projection ${name} is outdated: run projections rebuild ${name} first`);
  }
};

export type Recorded = Omit<ArchivedMonth, 'writtenAt' | 'detachedAt' | 'finishedAt' | 'restoring'>;

/** Records that a file has been written. After this, another run can complete this one. */
export const recordFile = async (
  pool: Pool,
  { month, part, file, sha256, streams, events, head, carried }: Recorded,
): Promise<void> => {
  await pool.query(
    `INSERT INTO archived_month (month, part, file, sha256, streams, events, head, carried_streams)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [month, part, file, sha256, streams, events, head, carried],
  );
};

/** Records that a restore has started. After this, missing data of the month does not count as damage. */
export const recordRestoring = async (pool: Pool, { month, part }: File): Promise<void> => {
  await pool.query(
    'UPDATE archived_month SET restoring = true, finished_at = NULL WHERE month = $1 AND part = $2',
    [month, part],
  );
};

/** Records the log ranges contained in a file, a few hundred at a time. Existing records stay unchanged. */
export const recordRanges = async (pool: Pool, path: string, { month, part }: File): Promise<void> => {
  let ranges: ArchivedRange[] = [];
  const write = async (): Promise<void> => {
    await pool.query(
      `INSERT INTO log_archived (first_pos, last_pos, before, hash, month, part)
       SELECT r.*, $5, $6 FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) AS r
       ON CONFLICT (first_pos) DO NOTHING`,
      [
        ranges.map(({ firstPos }) => firstPos),
        ranges.map(({ lastPos }) => lastPos),
        ranges.map(({ before }) => before),
        ranges.map(({ hash }) => hash),
        month,
        part,
      ],
    );
    ranges = [];
  };
  let begun: { readonly before: string; readonly firstPos?: number } | undefined;
  for await (const { line } of readArchive(path)) {
    if (line.kind === 'range') begun = { before: line.before };
    if (line.kind === 'event' && begun !== undefined) begun = { firstPos: line.pos, ...begun };
    if (line.kind !== 'end' || begun?.firstPos === undefined) continue;
    ranges.push({ before: begun.before, firstPos: begun.firstPos, lastPos: line.pos, hash: line.hash });
    if (ranges.length === rangesAtOnce) await write();
  }
  if (ranges.length > 0) await write();
};

/** Removes the record of a month once its events are back in the table. */
export const removeFile = async (pool: Pool, { month, part }: File): Promise<void> => {
  for (let removed: number | null = rangesAtOnce; removed === rangesAtOnce;) {
    const { rowCount }: { rowCount: number | null } = await pool.query(
      `DELETE FROM log_archived WHERE first_pos IN (
         SELECT first_pos FROM log_archived WHERE month = $1 AND part = $2 LIMIT ${rangesAtOnce})`,
      [month, part],
    );
    removed = rowCount;
  }
  await pool.query('DELETE FROM archived_month WHERE month = $1 AND part = $2', [month, part]);
};
