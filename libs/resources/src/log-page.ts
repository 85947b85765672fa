import type { EventResource } from '@xs2a/contracts/event-streams';
import {
  type LoggedEvent,
  type LogPage,
  type LostPositions,
  maxNewestGaps,
  maxSearchedPositions,
  type ReadLog,
} from '@xs2a/contracts/timeline.contract';
import { logEnd, logGaps } from '@xs2a/event-store/recovery/log-gaps';
import type { Pool } from 'pg';
import { positionAt } from './position-at.js';

/** SQL for the TPP, the product and the status of the stream of `l`. */
const owners: Readonly<Record<EventResource, string>> = {
  payments: `SELECT tpp_id, product, status FROM payment_view WHERE stream_id = l.stream_id
    UNION ALL SELECT tpp_id, 'signing-basket', NULL FROM basket_view WHERE stream_id = l.stream_id`,
  consents: `SELECT tpp_id, 'consent' AS product, status FROM consent_view WHERE stream_id = l.stream_id`,
};

interface Row extends Omit<LoggedEvent, 'at'> {
  readonly at: Date;
  readonly matching: number;
}

/** Reads the newest events of a part of the log, which covers at most {@link maxSearchedPositions} positions. */
export const readLogPage = async (
  pool: Pool,
  resource: EventResource,
  { after = 0, before, until, type, tppId, product, status, limit }: ReadLog,
): Promise<LogPage> => {
  const [last, gaps, lastBy] = await Promise.all([
    logEnd(pool),
    logGaps(pool),
    until === undefined ? undefined : positionAt(pool, Date.parse(until)),
  ]);
  const end = Math.min(last, (before ?? Infinity) - 1, lastBy ?? last);
  const start = Math.max(after, end - maxSearchedPositions);
  // OFFSET 0 makes PostgreSQL look up each position by primary key.
  const { rows } = await pool.query<Row>(
    `SELECT l.pos, l.stream_id AS id, e.type, e.occurred_at AS at, e.meta->>'actor' AS actor,
       owner.tpp_id AS "tppId", owner.product, count(*) OVER () AS matching
     FROM log l CROSS JOIN LATERAL (
       SELECT type, occurred_at, meta FROM events WHERE stream_id = l.stream_id AND version = l.version OFFSET 0) AS e
     LEFT JOIN LATERAL (${owners[resource]}) AS owner ON true
     WHERE l.pos > $1 AND l.pos <= $2 AND ($3::text IS NULL OR e.type = $3) AND ($4::text IS NULL OR owner.tpp_id = $4)
       AND ($5::text IS NULL OR owner.product = $5) AND ($6::text IS NULL OR owner.status = $6)
     ORDER BY l.pos DESC LIMIT $7`,
    [start, end, type, tppId, product, status, limit],
  );
  const skipped = after > 0 ? Math.max(0, start - after) : 0;
  return {
    events: rows.map(toLoggedEvent),
    last,
    leftOut: (rows[0]?.matching ?? 0) - rows.length + skipped,
    searchedFrom: start + 1,
    gaps: gaps.filter((gap) => gap.upTo > start && gap.after < end).map(toLost),
    newestGaps: gaps
      .toSorted((a, b) => b.foundAt.getTime() - a.foundAt.getTime())
      .slice(0, maxNewestGaps)
      .map(toLost),
  };
};

const toLost = ({ after, upTo }: LostPositions): LostPositions => ({ after, upTo });

const toLoggedEvent = ({ pos, at, type, id, actor, tppId, product }: Row): LoggedEvent => ({
  pos,
  at: at.toISOString(),
  type,
  id,
  actor,
  tppId,
  product,
});
