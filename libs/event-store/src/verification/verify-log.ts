import { keyPages, lowestId } from '@xs2a/postgres/key-pages';
import type { Pool } from 'pg';
import { archivedAmong, isArchivedPosition } from '../months/archived-log.js';
import { type Anchor, chainLog, logStart } from './log-anchor.js';
import { isMovingStream } from '../months/archived-months.js';
import { isInGap, logGaps, logHead } from '../recovery/log-gaps.js';
import type { Finding } from './verify-stream.js';

const window = 20_000;

/** Runs a query for each range of `window` numbers, up to the highest number. */
const inRanges = async <Row extends object>(
  pool: Pool,
  maxPosition: number,
  query: { readonly name: string; readonly text: string },
  take: (row: Row) => void,
): Promise<void> => {
  for (let from = 0; from < maxPosition; from += window) {
    const { rows } = await pool.query<Row>({ ...query, values: [from, from + window] });
    for (const row of rows) take(row);
  }
};

/** Reports events that neither have a position nor are waiting for one. */
const unloggedFindings = async (pool: Pool, report: (finding: Finding) => void): Promise<void> => {
  const pages = keyPages({ stream_id: lowestId, version: 0 }, async ({ stream_id, version }) =>
    pool.query<{ stream_id: string; version: number; is_unlogged: boolean }>({
      name: 'verify-unlogged',
      text: `SELECT e.*,
          NOT EXISTS (SELECT FROM log l WHERE l.stream_id = e.stream_id AND l.version = e.version)
          AND NOT EXISTS (SELECT FROM unsequenced u WHERE u.stream_id = e.stream_id AND u.version = e.version)
            AS is_unlogged
        FROM (
          SELECT stream_id, version FROM events WHERE (stream_id, version) > ($1, $2)
          ORDER BY stream_id, version LIMIT ${window}
        ) AS e ORDER BY stream_id, version`,
      values: [stream_id, version],
    }),
  );
  const text =
    'The event has no position and is not waiting for one: it was inserted without the event store.';
  for await (const page of pages)
    for (const { stream_id: streamId, version } of page.filter((row) => row.is_unlogged))
      report({ streamId, version, kind: 'inserted', text });
};

/**
 * Compares the events with the log. Every event must have a position or be waiting for one, every position must
 * have its event, and each stream's positions must be in the order of its events. Positions must have no gaps
 * except those where the database lost events ({@link logGaps}) and those of archived events.
 */
export const logFindings = async (pool: Pool, report: (finding: Finding) => void): Promise<void> => {
  const last = await logHead(pool);
  await unloggedFindings(pool, report);
  await inRanges<{ pos: number; stream_id: string | null; version: number | null }>(
    pool,
    last,
    {
      name: 'verify-positions',
      text: `SELECT p AS pos, l.stream_id, l.version
        FROM generate_series($1::bigint + 1, least($2, (SELECT max(pos) FROM log))) AS p
        LEFT JOIN log l ON l.pos = p
        WHERE NOT EXISTS (SELECT FROM events e WHERE e.stream_id = l.stream_id AND e.version = l.version)
        AND NOT EXISTS (SELECT FROM log_gap g WHERE p > g.after AND p <= g.up_to)
        AND (${isArchivedPosition('p')}) IS NOT TRUE ORDER BY p`,
    },
    ({ pos, stream_id, version }) =>
      report(
        stream_id === null || version === null
          ? { pos, kind: 'deleted', text: 'The log has no such position.' }
          : {
              pos,
              streamId: stream_id,
              version,
              kind: 'deleted',
              text: 'The event that had this position is gone.',
            },
      ),
  );
  await inRanges<{ stream_id: string; version: number; pos: number }>(
    pool,
    last,
    {
      name: 'verify-order',
      text: `SELECT l.stream_id, l.version, l.pos FROM log l
        JOIN events before ON before.stream_id = l.stream_id AND before.version = l.version - 1
        LEFT JOIN log lb ON lb.stream_id = l.stream_id AND lb.version = l.version - 1
        WHERE l.pos > $1 AND l.pos <= $2 AND (lb.pos IS NULL OR lb.pos > l.pos)
          AND EXISTS (SELECT FROM events e WHERE e.stream_id = l.stream_id AND e.version = l.version)`,
    },
    ({ stream_id: streamId, version, pos }) =>
      report({
        streamId,
        version,
        pos,
        kind: 'swapped',
        text: 'The event comes before its predecessor in the log.',
      }),
  );
  const { rows } = await pool.query<{ lost: number }>({
    name: 'verify-queue',
    text: `SELECT count(*) AS lost FROM unsequenced u
      WHERE NOT EXISTS (SELECT FROM events e WHERE e.stream_id = u.stream_id AND e.version = u.version)`,
  });
  for (let index = 0; index < (rows[0]?.lost ?? 0); index += 1) {
    report({ kind: 'deleted', text: 'An event that waited for its position is gone.' });
  }
};

/**
 * Reports streams whose status view counts more events than exist, which means that the stream's last events, or
 * all of them, were removed. Excludes streams of a month that is being archived or restored.
 */
export const truncatedStreams = async (
  pool: Pool,
  view: string,
  report: (finding: Finding) => void,
): Promise<void> => {
  const pages = keyPages({ stream_id: lowestId }, async (after) =>
    pool.query<{ stream_id: string; version: number; last: number; is_moving: boolean }>({
      name: `verify-ends-${view}`,
      text: `SELECT v.stream_id, v.version,
          coalesce((SELECT max(version) FROM events e WHERE e.stream_id = v.stream_id), 0) AS last,
          ${isMovingStream('v.stream_id')} AS is_moving
        FROM "${view}" v WHERE v.stream_id > $1 ORDER BY v.stream_id LIMIT 5000`,
      values: [after.stream_id],
    }),
  );
  for await (const page of pages)
    for (const { stream_id: streamId, version, last, is_moving: isMoving } of page) {
      if (version <= last || isMoving) continue;
      const text =
        last === 0
          ? `All ${version} events of the stream are gone.`
          : `The stream had ${version} events; the last is now ${last}.`;
      report({ streamId, version: last + 1, kind: 'truncated', text });
    }
};

/**
 * Returns the last position of the log, and the last position that either the log or an anchor had at the same
 * moment. An anchor is stored after its position was assigned, so it can be beyond the last position only if the
 * log was truncated. Both are read in one statement; otherwise an anchor stored in between would also be beyond
 * the last position.
 */
const readBounds = async (pool: Pool): Promise<{ readonly end: number; readonly known: number }> => {
  const { rows } = await pool.query<{ end: number; known: number }>({
    name: 'verify-bounds',
    text: `SELECT coalesce(l.pos, 0) AS end, coalesce(greatest(l.pos, a.pos), 0) AS known
      FROM (SELECT max(pos) AS pos FROM log) AS l, (SELECT max(pos) AS pos FROM log_anchor) AS a`,
  });
  return rows[0] ?? { end: 0, known: 0 };
};

/**
 * Recomputes the log's hash from the first event and compares it with the stored anchors. Returns the anchor at
 * the last position. `trusted` are anchors kept outside the database, where nobody with privileges on the database
 * can change them. `after` is the last position whose event was detached; the chain then starts at the first
 * anchor after it.
 */
export const anchorFindings = async (
  pool: Pool,
  { trusted, after = 0 }: { readonly trusted: readonly Anchor[]; readonly after?: number },
  report: (finding: Finding) => void,
): Promise<Anchor> => {
  const { end, known } = await readBounds(pool);
  const lastAnchor = Math.max(known, ...trusted.map(({ pos }) => pos));
  /** Returns the anchors at the positions `from` to `to`: the service's own and those kept elsewhere. */
  const anchors = async (from: number, to = lastAnchor): Promise<Anchor[]> => {
    const { rows: kept } = await pool.query<Anchor>({
      name: 'verify-anchors',
      text: 'SELECT pos, hash FROM log_anchor WHERE pos BETWEEN $1 AND $2 ORDER BY pos',
      values: [from, to],
    });
    const elsewhere = trusted.filter(({ pos }) => pos >= from && pos <= to);
    return [...kept, ...elsewhere].sort((one, other) => one.pos - other.pos);
  };
  const gaps = await logGaps(pool);
  const start = after === 0 ? logStart : (await anchors(after)).find(({ pos }) => !isInGap(gaps, pos));
  // There is no anchor after the detached events, so nothing is known about the events that follow them.
  if (start === undefined) return logStart;
  let last = start;
  let good = start.pos;
  const check = (kept: Anchor, now: Anchor | undefined, archived: ReadonlySet<number>): void => {
    if (isInGap(gaps, kept.pos) || (now === undefined && archived.has(kept.pos))) return;
    if (now?.hash === kept.hash) good = kept.pos;
    else if (kept.pos > last.pos) {
      report({ pos: kept.pos, kind: 'truncated', text: `The log once reached position ${kept.pos}.` });
    } else {
      const text = `Something at positions ${good + 1} to ${kept.pos} has changed.`;
      report({ pos: kept.pos, kind: 'changed', text });
      good = kept.pos;
    }
  };
  for await (const page of chainLog(pool, start, end)) {
    const from = last.pos + 1;
    last = page.at(-1) ?? last;
    const at = new Map(page.map((anchor) => [anchor.pos, anchor]));
    const kept = await anchors(from, last.pos);
    // Anchors within an archived range are verified together with its archive file.
    const archived = await archivedAmong(
      pool,
      kept.map(({ pos }) => pos),
    );
    for (const anchor of kept) check(anchor, at.get(anchor.pos), archived);
  }
  for (const anchor of await anchors(last.pos + 1)) check(anchor, undefined, new Set());
  return last;
};
