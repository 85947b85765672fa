import { type Connections, oneRow } from '../connections.js';
import { counted, table } from '../command-line/output.js';

/**
 * `waiting`: in the queue; `failing`: a delivery failed and will be retried; `dead`: not accepted for 24 hours;
 * `delivered`: accepted by the receiver.
 */
export const notificationStates = ['waiting', 'failing', 'dead', 'delivered'] as const;
type NotificationState = (typeof notificationStates)[number];

export interface QueuedNotification {
  /** The X-Request-ID that all delivery attempts use. */
  readonly id: string;
  readonly state: NotificationState;
  readonly tppId: string;
  readonly resourceId: string;
  /** The target address without its path, which may contain the customer's name. */
  readonly uri: string;
  /** The reported status. */
  readonly tells: string;
  /** The number of failed attempts. */
  readonly failures: number;
  readonly createdAt: string;
  /** The real time of the next attempt; null while the notification waits for the one before it. */
  readonly nextTryAt: string | null;
  readonly reason: string | null;
}

export interface NotificationFilter {
  readonly states: readonly NotificationState[];
  readonly tpp?: string;
  readonly limit: number;
}

type Row = Omit<QueuedNotification, 'tells' | 'createdAt' | 'nextTryAt'> & {
  readonly body: string;
  readonly createdAt: Date;
  readonly nextTryAt: Date | null;
};

/**
 * Removes the path and query of an address, because a TPP may include anything in them, for example a customer
 * number.
 */
const withoutPath = (uri: string): string => `${new URL(uri).origin}/…`;

/** Returns the status reported in a body, for example `ACSC` or `ACCP psuIdentified`. */
const statusIn = (body: string): string => {
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

/** Lists notifications in the order in which they were created. */
export const queuedNotifications = async (
  connections: Connections,
  { states, tpp, limit }: NotificationFilter,
): Promise<QueuedNotification[]> => {
  const { rows } = await connections.reader('notifications').query<Row>(
    `SELECT id, state, "tppId", "resourceId", uri, body, failures, "createdAt", "nextTryAt", reason
     FROM (
       SELECT notification_id AS id, tpp_id AS "tppId", resource_id AS "resourceId", uri, body, failures,
         created_at AS "createdAt", next_try_at AS "nextTryAt", last_failure AS reason, pos, part,
         CASE WHEN state = 'waiting' AND failures > 0 THEN 'failing' ELSE state END AS state
       FROM notification
     ) AS shown
     WHERE state = ANY($1::text[]) AND ($2::text IS NULL OR "tppId" = $2) ORDER BY "createdAt", pos, part LIMIT $3`,
    [states, tpp, limit],
  );
  return rows.map(({ id, state, tppId, resourceId, uri, body, failures, createdAt, nextTryAt, reason }) => ({
    id,
    state,
    tppId,
    resourceId,
    uri: withoutPath(uri),
    tells: statusIn(body),
    failures,
    createdAt: createdAt.toISOString(),
    nextTryAt: nextTryAt?.toISOString() ?? null,
    reason,
  }));
};

export const notificationsText = (all: readonly QueuedNotification[]): string =>
  table(
    all,
    {
      notification: ({ id }) => id,
      state: ({ state }) => state,
      TPP: ({ tppId }) => tppId,
      of: ({ resourceId }) => resourceId,
      tells: ({ tells }) => tells,
      since: ({ createdAt }) => createdAt,
      failures: ({ failures }) => failures,
      'next try': ({ nextTryAt }) => nextTryAt,
      reason: ({ reason }) => reason,
      to: ({ uri }) => uri,
    },
    'No such notifications.',
  );

/**
 * Resends dead letters for another 24 hours: those with the given ids, all of them, or all of a TPP. Notifications
 * that follow one of them wait for it again. Returns the ids that were resent; ids that are not dead letters are
 * omitted.
 */
export const replayDead = async (
  connections: Connections,
  { ids, tpp }: { readonly ids?: readonly string[]; readonly tpp?: string },
): Promise<string[]> => {
  const { rows } = await connections.pool('notifications').query<{ id: string }>(
    `UPDATE notification SET state = 'waiting', ended_at = NULL, next_try_at = now(), failures = 0, first_failed_at = NULL
     WHERE state = 'dead' AND ($1::uuid[] IS NULL OR notification_id = ANY($1)) AND ($2::text IS NULL OR tpp_id = $2)
     RETURNING notification_id AS id`,
    [ids, tpp],
  );
  return rows.map(({ id }) => id);
};

export const replayedText = (asked: readonly string[], replayed: readonly string[]): string => {
  const missing = asked.filter((id) => !replayed.includes(id));
  return [
    `✓ ${counted(replayed.length, 'notification')} will be sent again`,
    ...missing.map((id) => `✗ ${id}: there is no such dead letter, or it no longer exists`),
  ].join('\n');
};

/** The state of the dispatcher, for `doctor`. */
export interface DispatcherFigures {
  readonly waiting: number;
  /** The number of notifications that have been due for more than a minute, which shows that none are being sent. */
  readonly overdue: number;
  /** The TPPs with failing receivers. */
  readonly failingTpps: readonly string[];
  readonly dead: number;
  /** The services (`payments`, `consents`) that have resources whose changes cannot be read. */
  readonly unreadOf: readonly string[];
  /** The number of these resources. */
  readonly unread: number;
}

export const dispatcherFigures = async (connections: Connections): Promise<DispatcherFigures> =>
  oneRow(
    connections.pool('notifications'),
    `SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting,
       count(*) FILTER (WHERE next_try_at < now() - interval '1 minute') AS overdue,
       coalesce(array_agg(DISTINCT tpp_id ORDER BY tpp_id) FILTER (WHERE state = 'waiting' AND failures > 0), '{}')
         AS "failingTpps",
       count(*) FILTER (WHERE state = 'dead') AS dead,
       (SELECT coalesce(array_agg(DISTINCT source ORDER BY source), '{}') FROM unread_resource) AS "unreadOf",
       (SELECT count(*) FROM unread_resource) AS unread
     FROM notification WHERE state <> 'delivered'`,
  );
