import type {
  NotificationFilter,
  NotificationState,
  QueuedNotification,
} from '@xs2a/contracts/notifications.contract';
import type { Pool } from 'pg';
import { withoutPath } from './without-path.js';

type Row = Omit<QueuedNotification, 'tells' | 'createdAt' | 'nextTryAt' | 'firstFailedAt' | 'endedAt'> & {
  readonly body: string;
  readonly createdAt: Date;
  readonly nextTryAt: Date | null;
  readonly firstFailedAt: Date | null;
  readonly endedAt: Date | null;
};

/**
 * The condition of each state, in the words of the partial indexes. Delivered notifications are by far the most, so
 * that no other state may be searched for among them.
 */
const conditions: Readonly<Record<NotificationState, string>> = {
  waiting: `state = 'waiting' AND failures = 0`,
  failing: `state = 'waiting' AND failures > 0`,
  dead: `state = 'dead' AND ended_at IS NOT NULL`,
  delivered: `state = 'delivered' AND ended_at IS NOT NULL`,
};

const selectOf = (state: NotificationState): string =>
  `(SELECT notification_id AS id, '${state}' AS state, tpp_id AS "tppId", resource_id AS "resourceId", uri, body, failures,
    created_at AS "createdAt", next_try_at AS "nextTryAt", first_failed_at AS "firstFailedAt", ended_at AS "endedAt", last_failure AS reason, pos, part
  FROM notification WHERE ${conditions[state]}
    AND ($1::text IS NULL OR tpp_id = $1) AND ($2::uuid IS NULL OR resource_id = $2)
  ORDER BY created_at, pos, part LIMIT $3)`;

/** Lists notifications in the order in which they were created. */
export const findNotifications = async (
  pool: Pool,
  { states, tppId, resourceId, limit }: NotificationFilter,
): Promise<QueuedNotification[]> => {
  if (states.length === 0) return [];
  const { rows } = await pool.query<Row>(
    `SELECT id, state, "tppId", "resourceId", uri, body, failures, "createdAt", "nextTryAt", "firstFailedAt", "endedAt", reason
    FROM (${[...new Set(states)].map(selectOf).join(' UNION ALL ')}) AS found ORDER BY "createdAt", pos, part LIMIT $3`,
    [tppId, resourceId, limit],
  );
  return rows.map(({ id, state, uri, body, createdAt, nextTryAt, firstFailedAt, endedAt, ...others }) => ({
    id,
    state,
    tppId: others.tppId,
    resourceId: others.resourceId,
    uri: withoutPath(uri),
    tells: statusIn(body),
    failures: others.failures,
    firstFailedAt: firstFailedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    nextTryAt: nextTryAt?.toISOString() ?? null,
    reason: others.reason,
  }));
};

/** Returns the ids of the oldest dead letters, of one TPP or of all. */
export const findDead = async (pool: Pool, tppId: string | undefined, limit: number): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT notification_id AS id FROM notification WHERE ${conditions.dead} AND ($1::text IS NULL OR tpp_id = $1)
     ORDER BY created_at, pos, part LIMIT $2`,
    [tppId, limit],
  );
  return rows.map(({ id }) => id);
};

/** Returns the status reported in a body, for example `ACSC` or `ACCP psuIdentified`. */
export const statusIn = (body: string): string => {
  const { transactionStatus, consentStatus, scaStatus, fundsAvailable } = JSON.parse(body) as Record<
    string,
    unknown
  >;
  const words = [
    transactionStatus ?? consentStatus,
    scaStatus,
    fundsAvailable === false ? 'unfunded' : undefined,
  ];
  return words.filter((word) => word !== undefined).join(' ');
};
