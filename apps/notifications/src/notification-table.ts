import type { DueNotification, UnreadResource } from '@xs2a/contracts/notifications.contract';
import type { Session } from '@xs2a/postgres/session-lock';
import type { ConfigOf } from '@xs2a/runtime/config';
import type { config } from './config.js';
import { withAttempt } from './kept-attempts.js';
import { scheduleFirst } from './schedule-first.js';

/** A notification that is due. */
export interface WaitingNotification {
  readonly notificationId: string;
  readonly resourceId: string;
  readonly tppId: string;
  readonly uri: string;
  readonly body: string;
  /** The trace context of the event. Null if it has none, or if the previous release stored the notification. */
  readonly traceparent: string | null;
  /** The number of failed attempts. */
  readonly failures: number;
  /** Seconds of real time; 0 before the first failure. */
  readonly secondsSinceFirstFailure: number;
}

/** The result of an attempt; `waitSeconds` is present if there will be another attempt. */
export interface TryResult {
  readonly notificationId: string;
  readonly resourceId: string;
  readonly outcome: 'delivered' | 'waiting' | 'dead';
  readonly waitSeconds?: number;
  /** The reason, for an operator; it never contains payment data. */
  readonly failure?: string;
  /** What the receiver answered, for the TPP. */
  readonly answer: string;
  /** The signature that was sent with it. */
  readonly signature?: string | undefined;
}

interface NotificationFigures {
  readonly waiting: number;
  readonly oldestSeconds: number;
  readonly dead: number;
  readonly unread: number;
}

/** The capacity for further notifications, in addition to those in progress. */
export interface Room {
  readonly limit: number;
  readonly perTpp: number;
  /** Ids of the notifications in progress, by TPP. */
  readonly underWay: ReadonlyMap<string, ReadonlySet<string>>;
}

/** How far a service's log has been read. */
export interface Progress {
  /** The position up to which everything is stored, except for `unread`. */
  after: number;
  /** Resources that could not be read, each with the first position that is not stored. */
  readonly unread: Map<string, number>;
}

const maxRemoved = 5000;

/** The number of real days for which delivered and undelivered notifications are kept. */
export type KeptDays = Pick<
  ConfigOf<typeof config>,
  'NOTIFICATIONS_DELIVERED_DAYS' | 'NOTIFICATIONS_DEAD_DAYS'
>;

/**
 * SQL that adds the notifications in the first parameter. Existing notifications are not changed. With `tries` null,
 * no tries are kept.
 */
const addedWith = (tries: "'[]'" | 'NULL'): string => `added AS (
  INSERT INTO notification (notification_id, resource_id, pos, part, tpp_id, uri, body, traceparent, tries)
  SELECT "notificationId", "resourceId", pos, part, "tppId", uri, body, traceparent, ${tries}::jsonb FROM jsonb_to_recordset($1::jsonb) AS added(
    "notificationId" uuid, "resourceId" uuid, pos bigint, part int, "tppId" text, uri text, body text, traceparent text)
  ON CONFLICT (notification_id) DO NOTHING
)`;
const toRows = (notifications: readonly DueNotification[]): string =>
  JSON.stringify(notifications.map(({ body, ...row }) => ({ ...row, body: JSON.stringify(body) })));

/**
 * Notifications in PostgreSQL. Of a resource's waiting notifications, only the first has a time for its next
 * attempt, so they are sent in order. All writes use the session that holds the active dispatcher's lock, so
 * nothing can be written without the lock.
 */
export class NotificationTable {
  private readonly added: string;

  /** With `keepsTries`, each attempt is kept for the TPP (contract 13). */
  constructor(
    private readonly session: Session,
    { keepsTries }: { readonly keepsTries: boolean },
  ) {
    this.added = addedWith(keepsTries ? "'[]'" : 'NULL');
  }

  /** How far a service's log has been read. */
  async progress(source: string): Promise<Progress> {
    const { rows } = await this.session.query<{ after: number; unread: readonly [string, number][] }>({
      name: 'notification-progress',
      text: `SELECT coalesce((SELECT pos FROM checkpoint WHERE source = $1), 0) AS after, coalesce(
          (SELECT json_agg(json_build_array(resource_id, pos) ORDER BY since) FROM unread_resource WHERE source = $1),
          '[]') AS unread`,
      values: [source],
    });
    const [row] = rows;
    return { after: row?.after ?? 0, unread: new Map(row?.unread) };
  }

  /**
   * Atomically adds a page of notifications, records the resources left out, and moves the checkpoint past the
   * page.
   */
  async store(
    source: string,
    {
      notifications,
      next,
      unread,
    }: {
      readonly notifications: readonly DueNotification[];
      readonly next: number;
      readonly unread: readonly UnreadResource[];
    },
  ): Promise<void> {
    await this.session.query({
      name: 'notification-store',
      text: `WITH ${this.added}, noted AS (
          INSERT INTO unread_resource (source, resource_id, pos)
          SELECT $2, "resourceId", pos FROM jsonb_to_recordset($4::jsonb) AS unread("resourceId" uuid, pos bigint)
          ON CONFLICT DO NOTHING
        )
        INSERT INTO checkpoint (source, pos) VALUES ($2, $3)
        ON CONFLICT (source) DO UPDATE SET pos = excluded.pos`,
      values: [toRows(notifications), source, next, JSON.stringify(unread)],
    });
    await this.scheduleThose(notifications);
  }

  /**
   * Adds the notifications of a resource that had been left out; `rest` is the position from which it still cannot
   * be read.
   */
  async storeReadAgain(
    source: string,
    {
      resourceId,
      notifications,
      rest,
    }: {
      readonly resourceId: string;
      readonly notifications: readonly DueNotification[];
      readonly rest: number | undefined;
    },
  ): Promise<void> {
    await this.session.query({
      name: 'notification-store-again',
      text: `WITH ${this.added}, moved AS (
          UPDATE unread_resource SET pos = $4 WHERE source = $2 AND resource_id = $3 AND $4::bigint IS NOT NULL
        )
        DELETE FROM unread_resource WHERE source = $2 AND resource_id = $3 AND $4::bigint IS NULL`,
      values: [toRows(notifications), source, resourceId, rest],
    });
    await this.scheduleThose(notifications);
  }

  private async scheduleThose(notifications: readonly DueNotification[]): Promise<void> {
    if (notifications.length > 0) await this.schedule(notifications.map(({ resourceId }) => resourceId));
  }

  /**
   * Makes the first waiting notification of each resource due now unless it already has a time. Without ids, does
   * this for all resources, since the process may have ended between two statements.
   */
  async schedule(resourceIds?: readonly string[]): Promise<void> {
    await scheduleFirst(this.session, resourceIds);
  }

  /**
   * Returns at most `limit` due notifications that are not in progress, so that each TPP has at most `perTpp` in
   * progress. TPPs with fewer in progress come first, then those that have been due longest.
   */
  async due({ limit, perTpp, underWay }: Room): Promise<WaitingNotification[]> {
    const busy = [...underWay].map(([tppId, ids]) => ({ tppId, ids: [...ids] }));
    const { rows } = await this.session.query<WaitingNotification>({
      name: 'notification-due',
      // Walks from TPP to TPP along the index: one look-up per TPP, however many notifications wait.
      text: `WITH RECURSIVE receiver AS (
          (SELECT tpp_id FROM notification WHERE next_try_at IS NOT NULL ORDER BY tpp_id LIMIT 1)
          UNION ALL
          SELECT (SELECT n.tpp_id FROM notification n WHERE n.next_try_at IS NOT NULL AND n.tpp_id > r.tpp_id
            ORDER BY n.tpp_id LIMIT 1)
          FROM receiver r WHERE r.tpp_id IS NOT NULL
        )
        SELECT due.* FROM receiver r
        LEFT JOIN jsonb_to_recordset($1::jsonb) AS busy("tppId" text, ids uuid[]) ON busy."tppId" = r.tpp_id
        CROSS JOIN LATERAL (
          SELECT notification_id AS "notificationId", resource_id AS "resourceId", tpp_id AS "tppId", uri, body, traceparent, failures,
            coalesce(extract(epoch FROM now() - first_failed_at), 0)::float8 AS "secondsSinceFirstFailure",
            coalesce(cardinality(busy.ids), 0) + row_number() OVER (ORDER BY n.next_try_at) AS turn, n.next_try_at
          FROM notification n WHERE n.tpp_id = r.tpp_id AND n.next_try_at <= now()
            AND notification_id <> ALL(coalesce(busy.ids, '{}'))
          ORDER BY n.next_try_at LIMIT greatest($2 - coalesce(cardinality(busy.ids), 0), 0)
        ) AS due ORDER BY turn, next_try_at LIMIT $3`,
      values: [JSON.stringify(busy), perTpp, limit],
    });
    return rows;
  }

  /**
   * Records the results of attempts and makes the next notification of each resource due. A notification that its TPP
   * made a dead letter during the attempt stays one unless it was delivered.
   */
  async record(results: readonly TryResult[]): Promise<void> {
    await this.session.query({
      name: 'notification-record',
      text: `UPDATE notification n SET state = r.outcome,
          next_try_at = CASE r.outcome WHEN 'waiting' THEN now() + make_interval(secs => r."waitSeconds") END,
          ended_at = CASE r.outcome WHEN 'waiting' THEN NULL ELSE now() END,
          failures = n.failures + CASE WHEN r.failure IS NULL THEN 0 ELSE 1 END,
          first_failed_at = coalesce(n.first_failed_at, CASE WHEN r.failure IS NOT NULL THEN now() END),
          last_failure = coalesce(r.failure, n.last_failure),
          tries = ${withAttempt("'answer', r.answer")},
          signature = CASE WHEN n.tries IS NOT NULL THEN coalesce(r.signature, n.signature) END
        FROM jsonb_to_recordset($1::jsonb) AS r(
          "notificationId" uuid, outcome text, "waitSeconds" float8, failure text, answer text, signature text)
        WHERE n.notification_id = r."notificationId" AND (n.state = 'waiting' OR r.outcome = 'delivered')`,
      values: [JSON.stringify(results)],
    });
    const ended = results.filter(({ outcome }) => outcome !== 'waiting');
    if (ended.length > 0) await this.schedule(ended.map(({ resourceId }) => resourceId));
  }

  /** Removes notifications past their retention, at most 5,000 of each kind; returns the number removed. */
  async removeOld(kept: KeptDays): Promise<number> {
    let removed = 0;
    for (const [state, days] of [
      ['delivered', kept.NOTIFICATIONS_DELIVERED_DAYS],
      ['dead', kept.NOTIFICATIONS_DEAD_DAYS],
    ] as const) {
      const { rowCount } = await this.session.query({
        name: 'notification-remove',
        text: `DELETE FROM notification WHERE notification_id = ANY(ARRAY(
            SELECT notification_id FROM notification WHERE state = $1 AND ended_at < now() - make_interval(days => $2)
            ORDER BY ended_at LIMIT ${maxRemoved}))`,
        values: [state, days],
      });
      removed += rowCount ?? 0;
    }
    return removed;
  }

  /**
   * Counts the waiting notifications, the dead letters and the unread resources, and returns the age of the oldest
   * waiting notification in seconds.
   */
  async figures(): Promise<NotificationFigures> {
    const { rows } = await this.session.query<NotificationFigures>({
      name: 'notification-figures',
      text: `SELECT (SELECT count(*) FROM notification WHERE state = 'waiting') AS waiting,
        coalesce((SELECT extract(epoch FROM now() - created_at) FROM notification WHERE state = 'waiting'
          ORDER BY created_at LIMIT 1), 0)::float8 AS "oldestSeconds",
        (SELECT count(*) FROM notification WHERE state = 'dead') AS dead,
        (SELECT count(*) FROM unread_resource) AS unread`,
    });
    return rows[0] ?? { waiting: 0, oldestSeconds: 0, dead: 0, unread: 0 };
  }
}
