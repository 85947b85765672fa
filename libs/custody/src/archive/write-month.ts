import type { Pool } from 'pg';
import { type EventRecord, storedEvent } from '@xs2a/event-store/streams/stored-event';
import { type Anchor, chainLog, logStart } from '@xs2a/event-store/verification/log-anchor';
import { type ArchivedEvent, type ArchiveLine, type ArchiveManifest, writeArchive } from './archive-file.js';
import { nextTable } from './month-partition.js';
import type { Month } from '@xs2a/event-store/months/months';
import type { MonthStreams } from './month-streams.js';

const pageSize = 500;
/** The maximum number of events in a range, so that one short statement can remove its log rows. */
const maxRange = 2000;

/** Thrown if the log does not match its anchors, in which case nothing is archived. The message is for an operator. */
export class DamagedLog extends Error {
  override readonly name = 'DamagedLog';
}

export interface MonthFile {
  readonly resource: string;
  readonly month: Month;
  readonly part: number;
  readonly path: string;
  readonly streams: MonthStreams;
  readonly signal?: AbortSignal;
  readonly onProgress?: (events: number) => void;
}

/**
 * Writes the events of the month's streams that are not in its next table to a file, in position order. Follows
 * the log's hash chain from the last anchor before these events, and throws {@link DamagedLog} if a later anchor
 * differs.
 */
export const writeMonth = async (
  pool: Pool,
  { resource, month, part, path, streams, signal, onProgress }: MonthFile,
): Promise<void> => {
  const { firstPos, lastPos } = streams;
  const counts = { streams: 0, events: 0, ranges: 0 };
  const isLeaving = (row: LoggedEvent | undefined): row is LoggedEvent =>
    row !== undefined && row.stream_id > month.from && row.stream_id < month.to && !row.is_carried;

  async function* lines(): AsyncGenerator<Exclude<ArchiveLine, ArchiveManifest>> {
    yield { kind: 'head', format: 'xs2a-archive-1', resource, month: month.name, part };
    const start = await anchorBefore(pool, firstPos);
    let last = start;
    let range: { events: number } | undefined;
    const end = (): Extract<ArchiveLine, { kind: 'end' }>[] => {
      if (range === undefined) return [];
      counts.ranges += 1;
      range = undefined;
      return [{ kind: 'end', pos: last.pos, hash: last.hash }];
    };
    for await (const page of chainLog(pool, start, lastPos)) {
      signal?.throwIfAborted();
      const events = await readEvents(pool, month, page, firstPos);
      const keptAt = await keptAnchors(pool, page);
      for (const anchor of page) {
        const event = events.get(anchor.pos);
        const isPart = isLeaving(event);
        if (range !== undefined && (!isPart || range.events === maxRange)) yield* end();
        if (isPart) {
          if (range === undefined) {
            range = { events: 0 };
            yield { kind: 'range', before: last.hash };
          }
          range.events += 1;
          counts.events += 1;
          if (event.version === 1) counts.streams += 1;
          yield toLine(event);
        }
        last = anchor;
        const kept = keptAt.get(anchor.pos);
        if (kept !== undefined && kept !== anchor.hash) throw damaged(anchor.pos);
        if (kept !== undefined && isPart) yield { kind: 'anchor', ...anchor };
        // A verification may start at any stored anchor, so no anchor may be inside a range.
        if (kept !== undefined) yield* end();
      }
      onProgress?.(counts.events);
    }
    yield* end();
    await mustReachAnchor(pool, last);
  }

  await writeArchive(path, lines(), () => ({
    ...counts,
    firstPos,
    lastPos,
  }));
};

const damaged = (pos: number): DamagedLog =>
  new DamagedLog(`the log up to position ${pos} has changed since its anchor was recorded`);

/** Returns the newest anchor before a position. */
const anchorBefore = async (pool: Pool, pos: number): Promise<Anchor> => {
  const { rows } = await pool.query<Anchor>({
    name: 'archive-anchor-before',
    text: `SELECT pos, hash FROM log_anchor WHERE pos < $1
      AND NOT EXISTS (SELECT FROM log_gap g WHERE pos > g.after AND pos <= g.up_to) ORDER BY pos DESC LIMIT 1`,
    values: [pos],
  });
  return rows[0] ?? logStart;
};

/** Returns the hashes of the anchors stored at the positions of a page, by position. */
const keptAnchors = async (pool: Pool, page: readonly Anchor[]): Promise<ReadonlyMap<number, string>> => {
  const { rows } = await pool.query<Anchor>({
    name: 'archive-anchors',
    text: 'SELECT pos, hash FROM log_anchor WHERE pos BETWEEN $1 AND $2',
    values: [page[0]?.pos, page.at(-1)?.pos],
  });
  return new Map(rows.map(({ pos, hash }) => [pos, hash]));
};

/** Follows the log to the next anchor, so that everything written is covered by an anchor. */
const mustReachAnchor = async (pool: Pool, last: Anchor): Promise<void> => {
  const { rows } = await pool.query<Anchor>({
    name: 'archive-next-anchor',
    text: `SELECT pos, hash FROM log_anchor a WHERE pos >= $1
      AND NOT EXISTS (SELECT FROM log_gap g WHERE a.pos > g.after AND a.pos <= g.up_to) ORDER BY pos LIMIT 1`,
    values: [last.pos],
  });
  const [next] = rows;
  if (next === undefined)
    throw new DamagedLog('no anchor of the log was recorded after the events; is the service running?');
  let reached = last;
  for await (const page of chainLog(pool, last, next.pos)) reached = page.at(-1) ?? reached;
  if (reached.hash !== next.hash) throw damaged(next.pos);
};

interface LoggedEvent extends EventRecord {
  readonly pos: number;
  readonly is_last: boolean;
  readonly is_carried: boolean;
}

/** Returns the events at the positions of a page, starting at `from`. */
const readEvents = async (
  pool: Pool,
  month: Month,
  page: readonly Anchor[],
  from: number,
): Promise<ReadonlyMap<number, LoggedEvent>> => {
  const positions = page.map(({ pos }) => pos).filter((pos) => pos >= from);
  const events = new Map<number, LoggedEvent>();
  for (let first = 0; first < positions.length; first += pageSize) {
    const { rows } = await pool.query<LoggedEvent>({
      name: `archive-events-${month.name}`,
      text: `SELECT l.pos, e.*, NOT EXISTS (
            SELECT FROM events n WHERE n.stream_id = l.stream_id AND n.version = l.version + 1) AS is_last,
          EXISTS (SELECT FROM ${nextTable(month)} n WHERE n.stream_id = l.stream_id) AS is_carried
        FROM log l CROSS JOIN LATERAL (
          SELECT * FROM events e WHERE e.stream_id = l.stream_id AND e.version = l.version OFFSET 0
        ) e WHERE l.pos = ANY($1::bigint[])`,
      values: [positions.slice(first, first + pageSize)],
    });
    for (const row of rows) events.set(row.pos, row);
  }
  return events;
};

const toLine = (row: LoggedEvent): ArchivedEvent => {
  const { prevHash, hash, ...event } = storedEvent(row);
  return {
    kind: 'event',
    pos: row.pos,
    ...event,
    prevHash: prevHash.toString('hex'),
    hash: hash.toString('hex'),
    last: row.is_last || undefined,
  };
};
