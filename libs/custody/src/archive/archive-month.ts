import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { logHead } from '@xs2a/event-store/recovery/log-gaps';
import { anchorLog } from '@xs2a/event-store/verification/log-anchor';
import type { MustHoldLock } from '@xs2a/postgres/session-lock';
import { withArchiveLock } from './archive-lock.js';
import { fileDigest } from './archive-file.js';
import {
  type KeptProjection,
  removeFile,
  mustBeProjected,
  NotArchived,
  recordFile,
  recordRanges,
} from './archive-record.js';
import { type ArchivedMonth, archivedMonths } from '@xs2a/event-store/months/archived-months';
import type { ViewEnding } from '../custody-resource.js';
import { catchUp, exchangePartition, LateEvent } from './exchange-partition.js';
import {
  copyStreams,
  countGone,
  countLeaving,
  dropNextTable,
  formerTable,
  isThere,
  makeNextTable,
  nextTable,
} from './month-partition.js';
import { readMonthStreams } from './month-streams.js';
import { type Month, startOfMonth } from '@xs2a/event-store/months/months';
import {
  type Leaving,
  removeLostEvents,
  removeRowsOfPositions,
  removeRowsOfStreams,
} from './remove-archived.js';
import { verifyArchive } from './verify-archive.js';
import { writeMonth } from './write-month.js';

/** The last completed step. After an interruption, archiving the month again completes the run. */
export type ArchiveStep =
  | 'verified'
  | 'recorded'
  | 'named'
  | 'ranges'
  | 'detached'
  | 'views'
  | 'log'
  | 'dropped';

export interface ArchiveOptions {
  readonly resource: { readonly name: string; readonly views: readonly ViewEnding[] };
  readonly month: Month;
  /** The folder to which the file is written. */
  readonly folder: string;
  /** The bank's current time, in epoch milliseconds. */
  readonly nowMs: number;
  /** The calendar months, including the current one, in which a stream must have had no event. Default 2. */
  readonly endedMonths?: number;
  /** True if the detached table must be kept instead of dropped. */
  readonly keep?: boolean;
  /** The number of newest positions that stay, because the relay compares them with the copy. Default 10,000. */
  readonly newest?: number;
  /** The projections of the resource. */
  readonly projections?: readonly KeptProjection[];
  /** Returns the first position up to the given one whose notifications do not exist yet, if any. */
  readonly firstUnread?: (upTo: number) => Promise<number | undefined>;
  readonly leaving?: Leaving;
  readonly signal?: AbortSignal;
  readonly onProgress?: (events: number, total: number) => void;
  readonly onStep?: (step: ArchiveStep) => void;
}

/**
 * Moves the ended streams of a month to a file while the service runs: writes and verifies the file, removes the
 * events from the table in one short transaction, then removes the streams' data from other tables. Throws
 * {@link NotArchived}, ArchiveUnderWay, DamagedLog, DamagedMonth, BrokenArchive, LateEvent and NotExchanged; in
 * each case, the events are still in the table.
 */
export const archiveMonth = async (pool: Pool, options: ArchiveOptions): Promise<ArchivedMonth> =>
  withArchiveLock(pool, async (mustHoldLock) => archiveNow(pool, options, mustHoldLock));

const archiveNow = async (
  pool: Pool,
  options: ArchiveOptions,
  mustHoldLock: MustHoldLock,
): Promise<ArchivedMonth> => {
  const { month, folder, keep = false, resource, signal, onStep } = options;
  const stepDone = async (step: ArchiveStep): Promise<void> => {
    onStep?.(step);
    signal?.throwIfAborted();
    await mustHoldLock();
  };
  const begun = await findUnfinished(pool, options);
  const archived = begun ?? (await writeFile(pool, options));
  if (begun === undefined) await stepDone('recorded');
  await nameFile(folder, archived);
  await stepDone('named');
  if (archived.detachedAt === null) {
    await recordRanges(pool, join(folder, archived.file), archived);
    await stepDone('ranges');
    await detachOrForget(pool, options, archived, mustHoldLock);
  }
  await stepDone('detached');
  mustBeAllInFile(await countGone(pool, month), archived);
  await removeRowsOfStreams(pool, month, resource.views, options.leaving);
  await removeLostEvents(pool, month);
  await stepDone('views');
  await removeRowsOfPositions(pool, archived);
  await stepDone('log');
  await mustBeFile(join(folder, archived.file), archived);
  await mustHoldLock();
  if (!keep) await pool.query(`DROP TABLE IF EXISTS ${formerTable(month)}`);
  await stepDone('dropped');
  await pool.query('UPDATE archived_month SET finished_at = now() WHERE month = $1 AND part = $2', [
    archived.month,
    archived.part,
  ]);
  return archived;
};

const partialName = (file: string): string => `${file}.partial`;

/**
 * Returns the record of an interrupted run. If its file no longer exists and the events are still in the table,
 * the record is removed and archiving starts over.
 */
const findUnfinished = async (
  pool: Pool,
  { month, folder }: ArchiveOptions,
): Promise<ArchivedMonth | undefined> => {
  const unfinished = (await archivedMonths(pool, month.name)).find(({ finishedAt }) => finishedAt === null);
  if (unfinished === undefined) return undefined;
  const { file, detachedAt, restoring } = unfinished;
  if (restoring)
    throw new NotArchived(`a restore of ${file} was interrupted: run archive restore FILE again`);
  const isThere = [file, partialName(file)].some((name) => existsSync(join(folder, name)));
  if (isThere) return unfinished;
  if (detachedAt !== null)
    throw new NotArchived(
      `${month.name} is archived in the file ${file}, which is not in ${folder}: name its folder`,
    );
  await removeFile(pool, unfinished);
  return undefined;
};

const writeFile = async (pool: Pool, options: ArchiveOptions): Promise<ArchivedMonth> => {
  const { resource, month, folder, nowMs, endedMonths = 2 } = options;
  const before = startOfMonth(nowMs, endedMonths - 1);
  const part = await nextPart(pool, month, before);
  const file = `${resource.name}-${month.name}-${part}.zst`;
  if (existsSync(join(folder, file)))
    throw new NotArchived(`${join(folder, file)} already exists: name another folder`);
  await makeNextTable(pool, month);
  try {
    return await writeStreams(pool, options, { before, part, file });
  } catch (error) {
    // The table can be as large as the part of the month that stays. An error here is ignored: the next run
    // drops the table, and the rethrown error is the one to report.
    await dropNextTable(pool, month).catch(() => undefined);
    throw error;
  }
};

/** Copies the streams that stay to the month's next table, and writes the other streams to the file. */
const writeStreams = async (
  pool: Pool,
  options: ArchiveOptions,
  { before, part, file }: { readonly before: Date; readonly part: number; readonly file: string },
): Promise<ArchivedMonth> => {
  const { resource, month, folder, nowMs, newest = 10_000, signal, onProgress, onStep } = options;
  await anchorLog(pool);
  const head = await logHead(pool);
  const streams = await readMonthStreams(
    pool,
    month,
    resource.views,
    { before, upTo: head - newest },
    async (streamIds) => copyStreams(pool, month, streamIds),
  );
  const { events, carried } = streams;
  if (streams.streams === 0)
    throw new NotArchived(`${month.name} has no closed stream (${carried} are open)`);
  await mustBeProjected(pool, options.projections ?? [], streams.lastPos);
  await mustBeRead(options, streams.lastPos);
  const path = join(folder, partialName(file));
  await writeMonth(pool, {
    resource: resource.name,
    month,
    part,
    path,
    streams,
    signal,
    onProgress: (written) => onProgress?.(written, events),
  });
  const { manifest } = await verifyArchive(path);
  if (manifest.streams !== streams.streams || manifest.events !== events)
    throw new NotArchived(`${path} does not hold all ${events} events: run events verify`);
  onStep?.('verified');
  const sha256 = await fileDigest(path);
  const row = { month: month.name, part, file, sha256, streams: streams.streams, events, head, carried };
  await recordFile(pool, row);
  return { ...row, writtenAt: new Date(nowMs), detachedAt: null, finishedAt: null, restoring: false };
};

const mustBeRead = async ({ firstUnread }: ArchiveOptions, lastPos: number): Promise<void> => {
  const unread = await firstUnread?.(lastPos);
  if (unread !== undefined)
    throw new NotArchived(
      `the service notifications has not read position ${unread} of the log yet: TPPs would not be notified of it`,
    );
};

/** Returns the next part's number. Throws {@link NotArchived} if the month is too recent or has no partition. */
const nextPart = async (pool: Pool, month: Month, before: Date): Promise<number> => {
  if (month.name >= before.toISOString().slice(0, 7))
    throw new NotArchived(
      `${month.name} is too recent to archive: only months before ${before.toISOString().slice(0, 7)} can be archived now`,
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
      `the table ${formerTable(month)} still exists because an earlier run was told to keep it`,
    );
  return ((await archivedMonths(pool, month.name)).at(-1)?.part ?? 0) + 1;
};

const mustBeFile = async (path: string, { sha256 }: ArchivedMonth): Promise<void> => {
  if (!existsSync(path) || (await fileDigest(path)) !== sha256)
    throw new NotArchived(`${path} is not the file that was written: nothing more is removed`);
};

/** Renames the file to its final name once the database has stored its digest, and syncs the folder to disk. */
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

/** Removes the file if an event was appended after it was written; the next run leaves that stream out. */
const detachOrForget = async (
  pool: Pool,
  { month, folder }: ArchiveOptions,
  archived: ArchivedMonth,
  mustHoldLock: MustHoldLock,
): Promise<void> => {
  try {
    await detach(pool, month, archived, mustHoldLock);
  } catch (error) {
    if (error instanceof LateEvent) {
      await mustHoldLock();
      await removeFile(pool, archived);
      await rm(join(folder, archived.file));
    }
    throw error;
  }
};

/** Throws {@link NotArchived} unless the file contains as many events as have been removed from the table. */
const mustBeAllInFile = (
  events: number | undefined,
  { month, file, events: written }: ArchivedMonth,
): void => {
  if (events === undefined || events === written) return;
  throw new NotArchived(
    `${events} events were removed from ${month}, but ${file} has ${written}: nothing more is removed`,
  );
};

const detach = async (
  pool: Pool,
  month: Month,
  { head, part, file, events }: ArchivedMonth,
  mustHoldLock: MustHoldLock,
): Promise<void> => {
  if (!(await isThere(pool, nextTable(month))))
    throw new LateEvent(`the streams that ${file} lacks are not known: the file is removed; run this again`);
  const late = { month, since: head, isLeaving: true };
  const since = await catchUp(pool, late);
  const leaving = await countLeaving(pool, month);
  if (leaving !== events)
    throw new LateEvent(
      `${leaving} events would be removed from ${month.name}, but ${file} has ${events}: the file is removed; run this again`,
    );
  await mustHoldLock();
  await exchangePartition(pool, {
    ...late,
    since,
    record: async (client) => {
      await client.query('UPDATE archived_month SET detached_at = now() WHERE month = $1 AND part = $2', [
        month.name,
        part,
      ]);
    },
  });
};
