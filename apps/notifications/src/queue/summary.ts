import type {
  NotificationSummary,
  TppQueue,
  UnreadableResource,
} from '@xs2a/contracts/notifications.contract';
import type { Pool } from 'pg';
import { withoutPath } from './without-path.js';

/** When it was, why, and the address; the largest one is the latest. */
type Failure = readonly [at: string, reason: string | null, uri: string];

interface QueueRow extends Pick<TppQueue, 'tppId' | 'waiting' | 'failing' | 'dead'> {
  readonly overdue: number;
  readonly oldestAt: Date | null;
  readonly failure: Failure | null;
}
type UnreadRow = Omit<UnreadableResource, 'since'> & { readonly since: Date; readonly total: number };

/** Two branches, so that each is read from an index that contains no delivered notification. */
const selectQueues = `
  SELECT tpp_id AS "tppId",
    count(*) FILTER (WHERE state = 'waiting' AND failures = 0) AS waiting,
    count(*) FILTER (WHERE state = 'waiting' AND failures > 0) AS failing,
    count(*) FILTER (WHERE state = 'dead') AS dead,
    count(*) FILTER (WHERE next_try_at < now() - interval '1 minute') AS overdue,
    min(created_at) FILTER (WHERE state = 'waiting') AS "oldestAt",
    coalesce(
      max(ARRAY[to_char(first_failed_at AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSUS'), last_failure, uri])
        FILTER (WHERE state = 'waiting' AND failures > 0),
      max(ARRAY[to_char(ended_at AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSUS'), last_failure, uri])
        FILTER (WHERE state = 'dead')) AS failure
  FROM (
    SELECT tpp_id, state, failures, next_try_at, created_at, first_failed_at, ended_at, last_failure, uri
      FROM notification WHERE state = 'waiting'
    UNION ALL
    SELECT tpp_id, state, failures, next_try_at, created_at, first_failed_at, ended_at, last_failure, uri
      FROM notification WHERE state = 'dead' AND ended_at IS NOT NULL
  ) AS undelivered GROUP BY tpp_id ORDER BY failing DESC, dead DESC, waiting DESC, tpp_id`;

const selectUnread = `
  SELECT source, resource_id AS "resourceId", since, count(*) OVER () AS total
  FROM unread_resource ORDER BY since, resource_id LIMIT $1`;

/** Sums up the notifications that are not delivered; at most `limit` TPPs and resources are named. */
export const summarise = async (pool: Pool, limit: number): Promise<NotificationSummary> => {
  const [{ rows: queues }, { rows: unread }] = await Promise.all([
    pool.query<QueueRow>(selectQueues),
    pool.query<UnreadRow>(selectUnread, [limit]),
  ]);
  const sum = (member: 'waiting' | 'failing' | 'dead' | 'overdue'): number =>
    queues.reduce((total, queue) => total + queue[member], 0);
  return {
    tpps: queues.slice(0, limit).map(toQueue),
    totals: {
      tpps: queues.length,
      waiting: sum('waiting'),
      failing: sum('failing'),
      dead: sum('dead'),
      overdue: sum('overdue'),
      unread: unread[0]?.total ?? 0,
    },
    unread: unread.map(({ source, resourceId, since }) => ({
      source,
      resourceId,
      since: since.toISOString(),
    })),
  };
};

const toQueue = ({ tppId, waiting, failing, dead, oldestAt, failure }: QueueRow): TppQueue => {
  const [, reason, uri] = failure ?? [];
  return {
    tppId,
    waiting,
    failing,
    dead,
    oldestAt: oldestAt?.toISOString(),
    reason: reason ?? undefined,
    uri: uri === undefined ? undefined : withoutPath(uri),
  };
};
