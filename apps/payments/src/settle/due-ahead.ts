import { isExamined, waitsForDecision } from '@xs2a/event-store/streams/lost-events';
import { streamKeyOf } from '@xs2a/event-store/personal-data/stream-keys';

/** SQL: whether a row of `payment_view v` waits because an event of it, or of its basket, was lost. */
const waits = waitsForDecision("v.stream_id, (v.state->>'basketId')::uuid");
/** SQL: no row waits, as a rule. */
export const doesNotWait = `(NOT EXISTS (SELECT FROM lost_event WHERE holds AND released_at IS NULL) OR NOT ${waits})`;

/** Lanes that are read for one page: each is one index lookup, and one may have nothing but payments of a later day. */
const maxLooks = 8192;

/**
 * SQL of a page of due payments that is fair between lanes: of each lane behind $2 that is not among $3 the oldest that are due at $1,
 * in all about $4. It goes from lane to lane by the index, so what it costs depends on neither the payments that are due nor those that
 * the lanes have. A row without a stream says that there are none; each row names the last lane that was read.
 */
export const dueAhead = `
WITH RECURSIVE look (lane, due_at, found, looks) AS (
  SELECT $2::bigint, NULL::timestamptz, 0, 0
  UNION ALL
  SELECT next.due_lane, next.due_at, found + (next.due_at <= $1 AND next.due_lane <> ALL($3::bigint[]))::int, looks + 1
  FROM look CROSS JOIN LATERAL (
    SELECT due_lane, due_at FROM payment_view
    WHERE due_at IS NOT NULL AND due_lane IS NOT NULL AND due_lane > look.lane ORDER BY due_lane, due_at LIMIT 1) AS next
  WHERE found < $4 AND looks < ${maxLooks}
), chosen AS MATERIALIZED (
  SELECT lane FROM look WHERE due_at <= $1 AND lane <> ALL($3::bigint[])
), page AS (
  SELECT oldest.* FROM chosen CROSS JOIN LATERAL (
    SELECT stream_id, version, due_at, due_lane, service, state FROM payment_view v
    WHERE due_at IS NOT NULL AND due_lane = chosen.lane AND due_at <= $1 AND ${doesNotWait}
    ORDER BY due_at, stream_id LIMIT (SELECT greatest(1, $4 / greatest(1, count(*))) FROM chosen)) AS oldest
)
SELECT examined, stream_id, version, due_at::text AS "dueAt", due_lane AS lane, service, state, ${streamKeyOf('page')} AS stream_key,
  (SELECT max(lane) FROM look) AS "lastLane"
FROM (SELECT ${isExamined} AS examined) AS server LEFT JOIN page ON examined ORDER BY due_lane, due_at, stream_id`;
