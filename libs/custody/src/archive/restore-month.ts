import type { Pool } from 'pg';
import { canonicalJson } from '@xs2a/event-store/streams/hash-chain';
import { logHead } from '@xs2a/event-store/recovery/log-gaps';
import type { MustHoldLock } from '@xs2a/postgres/session-lock';
import { withArchiveLock } from './archive-lock.js';
import { type ArchivedEvent, fileDigest, readArchive } from './archive-file.js';
import { removeFile, NotArchived, recordRestoring } from './archive-record.js';
import { type ArchivedMonth, archivedMonths } from '@xs2a/event-store/months/archived-months';
import { exchangePartition } from './exchange-partition.js';
import {
  copyPartition,
  dropNextTable,
  formerTable,
  isThere,
  makeNextTable,
  nextTable,
} from './month-partition.js';
import { type Month, parseMonth } from '@xs2a/event-store/months/months';
import { endKeyRetention } from '../personal-data/retain-keys.js';
import { verifyArchive } from './verify-archive.js';

const eventsAtOnce = 500;

/** The last completed step. After an interruption, restoring the file again completes the restore. */
export type RestoreStep = 'verified' | 'loaded' | 'attached' | 'rebuilt';

export interface RestoreOptions {
  /** Rewrites the status view's rows from the events of the month. */
  readonly rebuildViews: (month: Month) => Promise<void>;
  readonly onProgress?: (events: number, total: number) => void;
  readonly onStep?: (step: RestoreStep) => void;
}

/**
 * Loads the events of a file back into the month's partition while the service runs, together with their log
 * positions and status view rows. The file is kept. Throws BrokenArchive, ArchiveUnderWay, NotExchanged, or
 * NotArchived if the file is not an archive of this database.
 */
export const restoreMonth = async (
  pool: Pool,
  path: string,
  options: RestoreOptions,
): Promise<ArchivedMonth> =>
  withArchiveLock(pool, async (mustHoldLock) => restoreNow(pool, path, options, mustHoldLock));

const restoreNow = async (
  pool: Pool,
  path: string,
  { rebuildViews, onProgress, onStep }: RestoreOptions,
  mustHoldLock: MustHoldLock,
): Promise<ArchivedMonth> => {
  const stepDone = async (step: RestoreStep): Promise<void> => {
    onStep?.(step);
    await mustHoldLock();
  };
  const { head, manifest } = await verifyArchive(path);
  const months = await archivedMonths(pool, head.month);
  const [month, archived] = [parseMonth(head.month), months.find(({ part }) => part === head.part)];
  if (month === undefined || archived === undefined || archived.sha256 !== (await fileDigest(path)))
    throw new NotArchived(`${path} is not an archive file of this database`);
  mustBeFinished(months, archived);
  await stepDone('verified');
  if (archived.detachedAt !== null) {
    await clearFormerTable(pool, month, archived);
    await recordRestoring(pool, archived);
    await pool.query(`DROP TABLE IF EXISTS ${formerTable(month)}`);
    await makeNextTable(pool, month);
    await loadEvents(pool, { path, month, onProgress: (events) => onProgress?.(events, manifest.events) });
    await stepDone('loaded');
    await attach(pool, month, archived);
  }
  await stepDone('attached');
  await pool.query(`DROP TABLE IF EXISTS ${formerTable(month)}`);
  await endKeyRetention(pool, month);
  await rebuildViews(month);
  await stepDone('rebuilt');
  await dropNextTable(pool, month);
  await removeFile(pool, archived);
  return archived;
};

/**
 * Throws {@link NotArchived} if another part of the month has been only partly archived or restored, because both
 * runs would exchange the same partition.
 */
const mustBeFinished = (months: readonly ArchivedMonth[], archived: ArchivedMonth): void => {
  const other = months.find((one) => one !== archived && one.finishedAt === null);
  if (other !== undefined)
    throw new NotArchived(
      `${other.restoring ? 'a restore' : 'the archiving'} of ${other.file} was interrupted: complete it first; see archive list`,
    );
};

/** Throws {@link NotArchived} if an earlier run kept the former table as requested; leftovers do not matter. */
const clearFormerTable = async (pool: Pool, month: Month, { finishedAt }: ArchivedMonth): Promise<void> => {
  const former = formerTable(month);
  if (finishedAt !== null && (await isThere(pool, former)))
    throw new NotArchived(
      `the table ${former} still exists because an earlier run was told to keep it: drop it first`,
    );
};

const loadEvents = async (
  pool: Pool,
  { path, month, onProgress }: { path: string; month: Month; onProgress: (events: number) => void },
): Promise<void> => {
  let [page, done]: [ArchivedEvent[], number] = [[], 0];
  const load = async (): Promise<void> => {
    await insertEvents(pool, month, page);
    done += page.length;
    onProgress(done);
    page = [];
  };
  for await (const { line } of readArchive(path)) {
    if (line.kind !== 'event') continue;
    page.push(line);
    if (page.length === eventsAtOnce) await load();
  }
  if (page.length > 0) await load();
};

const insertEvents = async (pool: Pool, month: Month, events: readonly ArchivedEvent[]): Promise<void> => {
  const column = <Key extends keyof ArchivedEvent>(key: Key): ArchivedEvent[Key][] =>
    events.map((event) => event[key]);
  await pool.query(
    `INSERT INTO ${nextTable(month)}
       (stream_id, version, event_id, type, schema_version, data, meta, occurred_at, prev_hash, hash)
     SELECT stream_id, version, event_id, type, schema_version, data::json, meta::json, occurred_at,
       decode(prev_hash, 'hex'), decode(hash, 'hex')
     FROM unnest($1::uuid[], $2::int[], $3::uuid[], $4::text[], $5::int[], $6::text[], $7::text[], $8::timestamptz[], $9::text[],
       $10::text[]) AS e (stream_id, version, event_id, type, schema_version, data, meta, occurred_at, prev_hash, hash)`,
    [
      column('streamId'),
      column('version'),
      column('eventId'),
      column('type'),
      column('schemaVersion'),
      column('data').map(canonicalJson),
      column('meta').map(canonicalJson),
      column('occurredAt'),
      column('prevHash'),
      column('hash'),
    ],
  );
  await pool.query(
    `INSERT INTO log (pos, stream_id, version) SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::int[])
     ON CONFLICT DO NOTHING`,
    [column('pos'), column('streamId'), column('version')],
  );
};

/** Streams that are in the partition now stay there, together with those from the file. */
const attach = async (pool: Pool, month: Month, { part }: ArchivedMonth): Promise<void> => {
  const since = await logHead(pool);
  await copyPartition(pool, month);
  await exchangePartition(pool, {
    month,
    since,
    isLeaving: false,
    record: async (client) => {
      await client.query('UPDATE archived_month SET detached_at = NULL WHERE month = $1 AND part = $2', [
        month.name,
        part,
      ]);
    },
  });
};
