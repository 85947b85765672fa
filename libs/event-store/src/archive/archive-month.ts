import type { EventResource } from '@xs2a/contracts/published-event';
import { inTransaction } from '@xs2a/postgres/transaction';
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { logHead } from '../streams/log-gaps.js';
import { anchorLog } from '../verification/log-anchor.js';
import { archiveAlone } from './archive-lock.js';
import { fileDigest } from './archive-file.js';
import { type ArchivedMonth, archivedMonths } from './archived-months.js';
import { type ArchivedProjections, forgetSums, keepSums, noProjections, sumRanges } from './archived-sums.js';
import { type ArchivedTables, archivedTables } from './archived-tables.js';
import type { ArchivedRange } from './archived-log.js';
import { exchangePartition, LateEvent, mustHaveNoLateEvent } from './exchange-partition.js';
import { copyStreams, countGone, countLeaving, formerTable, makeNextTable } from './month-partition.js';
import { readMonthStreams } from './month-streams.js';
import { type Month, startOfMonth } from './months.js';
import { removeRowsOfPositions, removeRowsOfStreams } from './remove-archived.js';
import { verifyArchive } from './verify-archive.js';
import { writeMonth } from './write-month.js';

/** The month cannot be archived, or not now. The message is for an operator. */
export class NotArchived extends Error {
  override readonly name = 'NotArchived';
}

/** The step that was completed last. Archiving that is interrupted behind any of them is completed by archiving the month again. */
export type ArchiveStep = 'verified' | 'recorded' | 'named' | 'detached' | 'views' | 'log' | 'dropped';

export interface ArchiveOptions {
  readonly resource: EventResource;
  readonly month: Month;
  /** The folder of the file. */
  readonly folder: string;
  /** The bank's now, epoch milliseconds. */
  readonly nowMs: number;
  /** Calendar months, the present one included, in which an archived stream had no event. Default 2. */
  readonly endedMonths?: number;
  /** True: the detached table is not dropped. */
  readonly keep?: boolean;
  /** The newest positions, none of which is archived: the relay compares them with the published copy. Default 10,000. */
  readonly newest?: number;
  readonly tables?: ArchivedTables;
  readonly projections?: ArchivedProjections;
  readonly signal?: AbortSignal;
  readonly onProgress?: (events: number, total: number) => void;
  readonly onStep?: (step: ArchiveStep) => void;
}

/**
 * Moves the ended streams of a month to a file, beside a running service: writes and verifies the file, takes the month's events out of
 * the table in one short transaction, then removes what other tables hold of them. Throws {@link NotArchived}, ArchiveUnderWay,
 * DamagedLog, DamagedMonth, BrokenArchive, LateEvent and NotExchanged; the events are in the table then.
 */
export const archiveMonth = async (pool: Pool, options: ArchiveOptions): Promise<ArchivedMonth> =>
  archiveAlone(pool, async () => archiveNow(pool, options));

const archiveNow = async (pool: Pool, options: ArchiveOptions): Promise<ArchivedMonth> => {
  const { month, folder, keep = false, onStep, resource, tables = archivedTables[resource] } = options;
  const begun = await findUnfinished(pool, options);
  const archived = begun ?? (await writeFile(pool, options));
  await nameFile(folder, archived);
  onStep?.('named');
  if (archived.detachedAt === null) await detachOrForget(pool, options, archived);
  onStep?.('detached');
  mustBeAllInFile(await countGone(pool, month), archived);
  await removeRowsOfStreams(pool, month, tables.views);
  onStep?.('views');
  await removeRowsOfPositions(pool, archived, tables);
  onStep?.('log');
  await mustBeFile(join(folder, archived.file), archived);
  if (!keep) await pool.query(`DROP TABLE IF EXISTS ${formerTable(month)}`);
  onStep?.('dropped');
  await pool.query('UPDATE archived_month SET finished_at = now() WHERE month = $1 AND part = $2', [
    archived.month,
    archived.part,
  ]);
  return archived;
};

const partialName = (file: string): string => `${file}.partial`;

/** Finds the record of an interrupted run. When its file is gone and the events are still in the table, the record is removed: archiving begins anew. */
const findUnfinished = async (
  pool: Pool,
  { month, folder, projections = noProjections }: ArchiveOptions,
): Promise<ArchivedMonth | undefined> => {
  const unfinished = (await archivedMonths(pool, month.name)).find(({ finishedAt }) => finishedAt === null);
  if (unfinished === undefined) return undefined;
  const { file, detachedAt } = unfinished;
  const isThere = [file, partialName(file)].some((name) => existsSync(join(folder, name)));
  if (isThere) return unfinished;
  if (detachedAt !== null)
    throw new NotArchived(
      `${month.name} is archived in the file ${file}, which is not in ${folder}: name its folder`,
    );
  await forget(pool, unfinished, projections);
  return undefined;
};

/** Removes the record of a month whose events are in the table. */
export const forget = async (
  pool: Pool,
  archived: Pick<ArchivedMonth, 'month' | 'part'>,
  projections: ArchivedProjections,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { month, part } = archived;
    await forgetSums(client, projections, archived);
    await client.query('DELETE FROM log_archived WHERE month = $1 AND part = $2', [month, part]);
    await client.query('DELETE FROM archived_month WHERE month = $1 AND part = $2', [month, part]);
  });

const writeFile = async (pool: Pool, options: ArchiveOptions): Promise<ArchivedMonth> => {
  const {
    resource,
    month,
    folder,
    nowMs,
    newest = 10_000,
    endedMonths = 2,
    projections = noProjections,
    signal,
    onProgress,
    onStep,
  } = options;
  const { views } = options.tables ?? archivedTables[resource];
  const before = startOfMonth(nowMs, endedMonths - 1);
  const part = await nextPart(pool, month, before);
  const file = `${resource}-${month.name}-${part}.zst`;
  if (existsSync(join(folder, file)))
    throw new NotArchived(`${join(folder, file)} is there already: name another folder`);
  await anchorLog(pool);
  const head = await logHead(pool);
  const streams = await readMonthStreams(pool, month, views, { before, upTo: head - newest });
  if (streams.streams === 0)
    throw new NotArchived(`${month.name} has no stream that has ended (${streams.carried.length} are open)`);
  if (projections.projections.length > 0) await mustBeProjected(pool, streams.lastPos);
  const path = join(folder, partialName(file));
  const ranges = await writeMonth(pool, {
    resource,
    month,
    part,
    path,
    streams,
    signal,
    onProgress: (events) => onProgress?.(events, streams.events),
  });
  const { manifest } = await verifyArchive(path);
  if (manifest.streams !== streams.streams || manifest.events !== streams.events)
    throw new NotArchived(`${path} does not hold all ${streams.events} events: run events verify`);
  onStep?.('verified');
  const sha256 = await fileDigest(path);
  const { carried, events } = streams;
  const row = { month: month.name, part, file, sha256, streams: streams.streams, events, head, carried };
  await sumRanges(pool, projections, ranges);
  await record(pool, row, { ranges, projections });
  onStep?.('recorded');
  return { ...row, writtenAt: new Date(nowMs), detachedAt: null, finishedAt: null };
};

/** Throws {@link NotArchived} for a month that is too young, or has no partition of its own. */
const nextPart = async (pool: Pool, month: Month, before: Date): Promise<number> => {
  if (month.name >= before.toISOString().slice(0, 7))
    throw new NotArchived(
      `${month.name} has not been over for long enough: only months before ${before.toISOString().slice(0, 7)} are archived now`,
    );
  const { rows } = await pool.query<{ partition: boolean; former: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_inherits WHERE inhparent = 'events'::regclass AND inhrelid = to_regclass($1)) AS partition,
       to_regclass($2) IS NOT NULL AS former`,
    [month.partition, formerTable(month)],
  );
  if (rows[0]?.partition !== true)
    throw new NotArchived(
      `${month.name} has no partition: there are no events, or they are in the default partition`,
    );
  if (rows[0].former)
    throw new NotArchived(
      `the table ${formerTable(month)} is there still, which an earlier run was told to keep`,
    );
  return ((await archivedMonths(pool, month.name)).at(-1)?.part ?? 0) + 1;
};

const mustBeProjected = async (pool: Pool, lastPos: number): Promise<void> => {
  const { rows } = await pool.query<{ name: string }>(
    'SELECT name FROM projection WHERE pos < $1 OR NOT live',
    [lastPos],
  );
  const [behind] = rows;
  if (behind !== undefined)
    throw new NotArchived(
      `the projection ${behind.name} has not read all events of the month yet, or is being rebuilt: see projections list`,
    );
};

type Row = Omit<ArchivedMonth, 'writtenAt' | 'detachedAt' | 'finishedAt'>;

const record = async (
  pool: Pool,
  row: Row,
  {
    ranges,
    projections,
  }: { readonly ranges: readonly ArchivedRange[]; readonly projections: ArchivedProjections },
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { month, part, file, sha256, streams, events, head, carried } = row;
    await keepSums(client, projections, row);
    await client.query(
      `INSERT INTO archived_month (month, part, file, sha256, streams, events, head, carried)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [month, part, file, sha256, streams, events, head, carried],
    );
    await client.query(
      `INSERT INTO log_archived (first_pos, last_pos, before, hash, month, part)
       SELECT r.*, $5, $6 FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) AS r`,
      [
        ranges.map(({ firstPos }) => firstPos),
        ranges.map(({ lastPos }) => lastPos),
        ranges.map(({ before }) => before),
        ranges.map(({ hash }) => hash),
        month,
        part,
      ],
    );
  });

const mustBeFile = async (path: string, { sha256 }: ArchivedMonth): Promise<void> => {
  if (!existsSync(path) || (await fileDigest(path)) !== sha256)
    throw new NotArchived(`${path} is not the file that was written: nothing more is removed`);
};

/** Gives the file its name once the database knows its digest, and forces the folder to the disk. */
const nameFile = async (folder: string, archived: ArchivedMonth): Promise<void> => {
  const path = join(folder, archived.file);
  const partial = join(folder, partialName(archived.file));
  if (!existsSync(path)) {
    await mustBeFile(partial, archived);
    await rename(partial, path);
  }
  const directory = await open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
  await mustBeFile(path, archived);
};

/** A file that lacks an event which came since is removed: the next run writes it anew, and carries that stream over. */
const detachOrForget = async (
  pool: Pool,
  { month, folder, projections = noProjections }: ArchiveOptions,
  archived: ArchivedMonth,
): Promise<void> => {
  try {
    await detach(pool, month, archived);
  } catch (error) {
    if (error instanceof LateEvent) {
      await forget(pool, archived, projections);
      await rm(join(folder, archived.file));
    }
    throw error;
  }
};

/** Throws {@link NotArchived} unless the events that leave the table, or have left it, are as many as the file has. */
const mustBeAllInFile = (events: number | undefined, archived: ArchivedMonth): void => {
  if (events === undefined || events === Number(archived.events)) return;
  throw new NotArchived(
    `${events} events would leave ${archived.month}, and ${archived.file} has ${archived.events}: nothing more is removed. If a restore of the month was interrupted, run archive restore FILE again`,
  );
};

const detach = async (pool: Pool, month: Month, archived: ArchivedMonth): Promise<void> => {
  const { carried, head, part } = archived;
  await makeNextTable(pool, month);
  const since = await copyStreams(pool, month, carried);
  await mustHaveNoLateEvent(pool, { month, since: head });
  mustBeAllInFile(await countLeaving(pool, month), archived);
  await exchangePartition(pool, {
    month,
    since,
    record: async (client) => {
      await client.query('UPDATE archived_month SET detached_at = now() WHERE month = $1 AND part = $2', [
        month.name,
        part,
      ]);
    },
  });
};
