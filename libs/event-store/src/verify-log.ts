import type { Pool } from 'pg';
import { type Anchor, chainLog, logStart } from './log-anchor.js';
import type { Finding } from './verify-stream.js';

const window = 50_000;

/** Runs a query for each range of `window` numbers up to the highest. */
const inRanges = async <Row extends object>(
  pool: Pool,
  highest: number,
  query: { readonly name: string; readonly text: string },
  take: (row: Row) => void,
): Promise<void> => {
  for (let from = 0; from < highest; from += window) {
    const { rows } = await pool.query<Row>({ ...query, values: [from, from + window] });
    for (const row of rows) take(row);
  }
};

const numbers = async (pool: Pool): Promise<{ readonly id: number; readonly pos: number }> => {
  const { rows } = await pool.query<{ id: number; pos: number }>({
    name: 'verify-highest',
    text: 'SELECT (SELECT coalesce(max(id), 0) FROM events) AS id, (SELECT coalesce(max(pos), 0) FROM log) AS pos',
  });
  return rows[0] ?? { id: 0, pos: 0 };
};

/**
 * Holds events and log against each other: every event has a position or waits for one, every position has its event,
 * positions have no gaps, and each stream's events have their positions in order.
 */
export const logFindings = async (pool: Pool, report: (finding: Finding) => void): Promise<void> => {
  const highest = await numbers(pool);
  await inRanges<{ stream_id: string; version: number }>(
    pool,
    highest.id,
    {
      name: 'verify-unlogged',
      text: `SELECT stream_id, version FROM events e WHERE id > $1 AND id <= $2
        AND NOT EXISTS (SELECT FROM log l WHERE l.id = e.id)
        AND NOT EXISTS (SELECT FROM unsequenced u WHERE u.id = e.id)`,
    },
    ({ stream_id: streamId, version }) =>
      report({
        streamId,
        version,
        kind: 'inserted',
        text: 'The event has no position and waits for none: it was put in past the event store.',
      }),
  );
  await inRanges<{ pos: number; is_gap: boolean }>(
    pool,
    highest.pos,
    {
      name: 'verify-positions',
      text: `SELECT p AS pos, l.pos IS NULL AS is_gap
        FROM generate_series($1::bigint + 1, least($2, (SELECT max(pos) FROM log))) AS p
        LEFT JOIN log l ON l.pos = p LEFT JOIN events e ON e.id = l.id
        WHERE e.id IS NULL ORDER BY p`,
    },
    ({ pos, is_gap }) =>
      report({
        pos,
        kind: 'deleted',
        text: is_gap ? 'The log has no such position.' : 'The event that had this position is gone.',
      }),
  );
  await inRanges<{ stream_id: string; version: number; pos: number }>(
    pool,
    highest.id,
    {
      name: 'verify-order',
      text: `SELECT e.stream_id, e.version, l.pos FROM events e JOIN log l USING (id)
        JOIN events before ON before.stream_id = e.stream_id AND before.version = e.version - 1
        LEFT JOIN log lb ON lb.id = before.id
        WHERE e.id > $1 AND e.id <= $2 AND e.version > 1 AND (lb.pos IS NULL OR lb.pos > l.pos)`,
    },
    ({ stream_id: streamId, version, pos }) =>
      report({
        streamId,
        version,
        pos,
        kind: 'swapped',
        text: 'The event stands in the log before its predecessor.',
      }),
  );
  const { rows } = await pool.query<{ lost: number }>({
    name: 'verify-queue',
    text: `SELECT count(*) AS lost FROM unsequenced u WHERE NOT EXISTS (SELECT FROM events e WHERE e.id = u.id)`,
  });
  for (let index = 0; index < (rows[0]?.lost ?? 0); index += 1) {
    report({ kind: 'deleted', text: 'An event that waited for its position is gone.' });
  }
};

/** Streams whose status view knows of more events than there are: their end, or all of them, was removed. */
export const truncatedStreams = async (
  pool: Pool,
  view: string,
  report: (finding: Finding) => void,
): Promise<void> => {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await pool.query<{ stream_id: string; version: number; last: number }>({
      name: `verify-ends-${view}`,
      text: `SELECT v.stream_id, v.version,
          coalesce((SELECT max(version) FROM events e WHERE e.stream_id = v.stream_id), 0) AS last
        FROM "${view}" v WHERE v.stream_id > $1 ORDER BY v.stream_id LIMIT 5000`,
      values: [after],
    });
    for (const { stream_id: streamId, version, last } of rows) {
      if (version <= last) continue;
      const text =
        last === 0
          ? `All ${version} events of the stream are gone.`
          : `The stream had ${version} events; the last is now ${last}.`;
      report({ streamId, version: last + 1, kind: 'truncated', text });
    }
    const end = rows.at(-1);
    if (end === undefined) return;
    after = end.stream_id;
  }
};

/**
 * Makes the log's hash anew from the first event and holds it against the anchors kept; answers the anchor at the end.
 * `trusted`: anchors kept outside the database, where nobody with its rights could adapt them.
 */
export const anchorFindings = async (
  pool: Pool,
  trusted: readonly Anchor[],
  report: (finding: Finding) => void,
): Promise<Anchor> => {
  const highest = await numbers(pool);
  const { rows } = await pool.query<{ kept: boolean }>(
    "SELECT to_regclass('log_anchor') IS NOT NULL AS kept",
  );
  const read = rows[0]?.kept === true ? keptAnchors : async () => [];
  let last = logStart;
  let good = 0;
  const check = (kept: Anchor, now: Anchor | undefined): void => {
    if (now?.hash === kept.hash) good = kept.pos;
    else if (kept.pos > last.pos) {
      report({ pos: kept.pos, kind: 'truncated', text: `The log once reached position ${kept.pos}.` });
    } else {
      const text = `Something at positions ${good + 1} to ${kept.pos} is not what it was.`;
      report({ pos: kept.pos, kind: 'changed', text });
      good = kept.pos;
    }
  };
  for await (const page of chainLog(pool, logStart, highest.pos)) {
    const first = last.pos;
    last = page.at(-1) ?? last;
    const at = new Map(page.map((anchor) => [anchor.pos, anchor]));
    const kept = await read(pool, first, last.pos);
    for (const anchor of merged(
      kept,
      trusted.filter(({ pos }) => pos > first && pos <= last.pos),
    )) {
      check(anchor, at.get(anchor.pos));
    }
  }
  const beyond = await read(pool, last.pos, Number.MAX_SAFE_INTEGER);
  for (const anchor of merged(
    beyond,
    trusted.filter(({ pos }) => pos > last.pos),
  ))
    check(anchor, undefined);
  return last;
};

const merged = (one: readonly Anchor[], other: readonly Anchor[]): Anchor[] =>
  [...one, ...other].sort((a, b) => a.pos - b.pos);

const keptAnchors = async (pool: Pool, after: number, upTo: number): Promise<Anchor[]> => {
  const { rows } = await pool.query<Anchor>({
    name: 'verify-anchors',
    text: 'SELECT pos, hash FROM log_anchor WHERE pos > $1 AND pos <= $2 ORDER BY pos',
    values: [after, upTo],
  });
  return rows;
};
