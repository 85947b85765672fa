import type { Logger } from '@xs2a/observability/logger';
import { Sweep } from '@xs2a/runtime/background/sweep';
import type { Clock } from '@xs2a/runtime/clock';
import { hash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { archivedRanges } from '../months/archived-log.js';
import { logHead } from '../recovery/log-gaps.js';

/** A hash of the log up to a position. A copy kept elsewhere proves later that no event up to it was changed. */
export interface Anchor {
  readonly pos: number;
  /** The SHA-256, in hex. */
  readonly hash: string;
}

export const logStart: Anchor = { pos: 0, hash: '0'.repeat(64) };

/** The number of positions per page. Hashing it takes one or two milliseconds, so the service keeps responding. */
const pageSize = 500;

/**
 * Yields the anchor at each position of the log after `from` and up to `to`, page by page. A range whose events
 * were archived is a single step, from the hash before it to the hash after it.
 */
export async function* chainLog(
  session: Pool | PoolClient,
  from: Anchor,
  to: number,
): AsyncGenerator<readonly Anchor[]> {
  let last = from;
  for (let below = from.pos; below < to; below = Math.max(below + pageSize, last.pos)) {
    const upTo = Math.min(to, below + pageSize);
    const events = await hashesAt(session, below, upTo);
    const ranges = await archivedRanges(session, below, upTo);
    const steps = [
      ...events.map(({ pos, hash: ofEvent }) => ({ pos, end: pos, next: ofEvent, before: undefined })),
      ...ranges.map(({ firstPos: pos, lastPos, before, hash: next }) => ({
        pos,
        end: lastPos,
        next,
        before,
      })),
    ].sort((one, other) => one.pos - other.pos || other.end - one.end);
    const anchors: Anchor[] = [];
    for (const { pos, end, next, before } of steps) {
      // The archived range has already covered this position: its events still exist while a month is being
      // archived.
      if (pos <= last.pos) continue;
      const follows = before === last.hash;
      last = { pos: end, hash: follows ? next : hash('sha256', `${last.hash} ${pos} ${next}`) };
      anchors.push(last);
    }
    yield anchors;
  }
}

const hashesAt = async (session: Pool | PoolClient, after: number, upTo: number): Promise<Anchor[]> => {
  const { rows } = await session.query<Anchor>({
    name: 'log-chain',
    // OFFSET 0 forces one key look-up per event. Otherwise PostgreSQL would read all events for each page.
    text: `SELECT l.pos, encode(e.hash, 'hex') AS hash FROM log l CROSS JOIN LATERAL (
        SELECT e.hash FROM events e WHERE e.stream_id = l.stream_id AND e.version = l.version OFFSET 0
      ) e
      WHERE l.pos > $1 AND l.pos <= $2 ORDER BY l.pos`,
    values: [after, upTo],
  });
  return rows;
};

/** Returns the newest stored anchor and, calculated from it, the anchor at the last position of the log. */
export const readAnchors = async (
  session: Pool | PoolClient,
): Promise<{ readonly kept: Anchor; readonly end: Anchor }> => {
  const { rows } = await session.query<Anchor>({
    name: 'anchor-last',
    text: 'SELECT pos, hash FROM log_anchor ORDER BY pos DESC LIMIT 1',
  });
  const kept = rows[0] ?? logStart;
  let end = kept;
  for await (const anchors of chainLog(session, kept, await logHead(session))) end = anchors.at(-1) ?? end;
  return { kept, end };
};

/** Stores an anchor at the end of the log and returns it, or undefined if nothing is new. Safe to run concurrently. */
export const anchorLog = async (pool: Pool): Promise<Anchor | undefined> => {
  const { kept, end } = await readAnchors(pool);
  if (end === kept) return undefined;
  const { rowCount } = await pool.query({
    name: 'anchor-keep',
    text: 'INSERT INTO log_anchor (pos, hash) VALUES ($1, $2) ON CONFLICT (pos) DO NOTHING',
    values: [end.pos, end.hash],
  });
  return rowCount === 0 ? undefined : end;
};

/** Once a minute, stores an anchor and writes it to the service's log, where verification can use it as `trusted`. */
export const anchorSweep = ({
  resource,
  pool,
  clock,
  logger,
}: {
  readonly resource: string;
  readonly pool: Pool;
  readonly clock: Clock;
  readonly logger: Logger;
}): Sweep =>
  new Sweep({
    name: 'log anchors',
    everyMs: 60_000,
    clock,
    logger,
    run: async () => {
      const anchor = await anchorLog(pool);
      if (anchor !== undefined)
        logger.info({ resource, pos: anchor.pos, hash: anchor.hash }, 'recorded an anchor of the log');
      return 0;
    },
  });
