import { isExamined, waitsForDecision } from '@xs2a/event-store/recovery/lost-events';
import { recentTraceparentOf } from '@xs2a/event-store/streams/append-span';
import { streamKeyOf } from '@xs2a/event-store/encryption/stream-keys';

/**
 * SQL condition: a row of `payment_view v` must wait because the database lost an event of the payment or its
 * basket.
 */
const waits = waitsForDecision("v.stream_id, (v.state->>'basketId')::uuid");
/** SQL condition: the row need not wait. The first part is cheap and normally true, because normally no row waits. */
export const doesNotWait = `(NOT EXISTS (SELECT FROM lost_event WHERE holds AND released_at IS NULL) OR NOT ${waits})`;

/**
 * The maximum number of lanes read per page. Each lane costs one index lookup, and may contain only payments of a
 * later day.
 */
const maxLooks = 8192;

/**
 * SQL that returns a page of due payments, divided fairly between lanes. From each lane after $2 that is not in
 * $3, it returns the oldest payments due at $1, about $4 in total. It moves from lane to lane by the index, so its
 * cost depends neither on the total number of due payments nor on the number per lane. Each row names the last
 * lane that was read; a row without a stream means that no payment was found.
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
  ${recentTraceparentOf('page', '$1')} AS traceparent, (SELECT max(lane) FROM look) AS "lastLane"
FROM (SELECT ${isExamined} AS examined) AS server LEFT JOIN page ON examined ORDER BY due_lane, due_at, stream_id`;
