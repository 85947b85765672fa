import type { Session } from '@xs2a/postgres/session-lock';
import type { Pool, PoolClient } from 'pg';
import type { AppendGuard } from '../streams/append.js';

/** A published event that the database lost when it went back to an earlier state. */
export interface LostEvent {
  readonly event_id: string;
  readonly stream_id: string;
  /** The event's version in the stream. */
  readonly version: number;
  readonly pos: number;
  readonly type: string;
  readonly schema_version: number;
  readonly data: unknown;
  /** Who caused the event: the client id of a TPP, `psu` or the name of a service. */
  readonly actor: string;
  /** The ISO instant at which the event occurred. */
  readonly occurred_at: string;
  /** True if it may have ended something that the database considers open: the stream waits for a decision. */
  readonly holds: boolean;
}

/**
 * SQL that identifies the current run of the database server as primary. The value changes on each start of the
 * server and on a promotion, which begins a new timeline. The timeline is read from the write-ahead log, because
 * the control file is updated only later. Raises an error on a standby.
 */
export const presentServer = `extract(epoch FROM pg_postmaster_start_time()) || ' ' || left(pg_walfile_name(pg_current_wal_lsn()), 8)`;

/** SQL that is true if the relay has compared log and stream since this server became the primary. */
export const isExamined = `EXISTS (SELECT FROM examined_server WHERE server = ${presentServer})`;

/** SQL that is true if one of these streams (a list of expressions) is waiting because of a lost event. */
export const waitsForDecision = (streamIds: string): string =>
  `EXISTS (SELECT FROM lost_event lost WHERE lost.holds AND lost.released_at IS NULL AND lost.stream_id IN (${streamIds}))`;

/**
 * The guard for appends that move money (ADR 35). After a failover, such an append is held back until the relay has
 * compared the log with the stream, and then for as long as a lost event of its stream awaits a decision.
 */
export const knowsItsLosses: AppendGuard = (streamId) =>
  `${isExamined} AND NOT ${waitsForDecision(streamId)}`;

const columns = 'event_id, stream_id, version, pos, type, schema_version, data, actor, occurred_at, holds';

/** Records those of the published events that the database neither has nor has recorded, and returns them. */
export const recordLost = async (session: Session, copies: readonly LostEvent[]): Promise<LostEvent[]> => {
  const { rows } = await session.query<LostEvent>({
    name: 'lost-record',
    text: `INSERT INTO lost_event (${columns})
      SELECT ${columns} FROM json_populate_recordset(NULL::lost_event, $1) AS c
      WHERE NOT EXISTS (SELECT FROM events e
        WHERE e.stream_id = c.stream_id AND e.version = c.version AND e.event_id = c.event_id)
      ON CONFLICT DO NOTHING
      RETURNING ${columns}`,
    values: [JSON.stringify(copies)],
  });
  return rows;
};

/** The positions after `after`, up to and including `upTo`, which are lost and are not reused. */
export interface Gap {
  readonly after: number;
  readonly upTo: number;
}

/** Records that this server was checked, and its gap, if any. Throws 23505 if another leader was first. */
export const recordExamined = async (session: Session, gap: Gap | undefined): Promise<void> => {
  await session.query({
    name: 'lost-examined',
    text: `WITH gap AS (
        INSERT INTO log_gap (after, up_to) SELECT $1::bigint, $2::bigint WHERE $1 IS NOT NULL
      )
      INSERT INTO examined_server (server) VALUES (${presentServer}) ON CONFLICT DO NOTHING`,
    values: [gap?.after, gap?.upTo],
  });
};

/**
 * Returns lost events that block their streams and have not been released. Each comes with the events that the
 * same append stored after it, for example a rejected occurrence with the next occurrence, which was planned at
 * the same time.
 */
export const waitingAppends = async (pool: Pool): Promise<LostEvent[][]> => {
  const { rows } = await pool.query<{ readonly appended: LostEvent[] }>({
    name: 'lost-waiting',
    text: `SELECT (SELECT json_agg(behind ORDER BY behind.version) FROM lost_event behind
        WHERE behind.stream_id = first.stream_id AND behind.version >= first.version AND behind.occurred_at = first.occurred_at
      ) AS appended
      FROM lost_event first WHERE holds AND released_at IS NULL ORDER BY pos`,
  });
  const found = rows.map(({ appended }) => appended);
  // The remaining events of an append are repeated together with the first of its waiting events.
  return found.filter(
    ([first], index) =>
      !found
        .slice(0, index)
        .flat()
        .some((event) => event.event_id === first?.event_id),
  );
};

/** Returns the lost events of a stream, oldest first, without those that an operator or a repeated end has released. */
export const lostOf = async (pool: Pool, streamId: string): Promise<LostEvent[]> => {
  const { rows } = await pool.query<LostEvent>({
    name: 'lost-of-stream',
    text: `SELECT ${columns} FROM lost_event WHERE stream_id = $1 AND released_at IS NULL ORDER BY version, pos`,
    values: [streamId],
  });
  return rows;
};

/** Returns the streams that are waiting because one of their events was lost. */
export const waitingStreams = async (pool: Pool, streamIds: readonly string[]): Promise<Set<string>> => {
  const { rows } = await pool.query<{ stream_id: string }>({
    name: 'lost-streams',
    text: 'SELECT stream_id FROM lost_event WHERE holds AND released_at IS NULL AND stream_id = ANY($1::uuid[])',
    values: [streamIds],
  });
  return new Set(rows.map(({ stream_id }) => stream_id));
};

/** Releases a stream from all of its lost events, or only from those with these ids. Returns the number released. */
export const release = async (
  session: Pool | PoolClient,
  {
    streamId,
    eventIds,
    by,
    reason,
  }: {
    readonly streamId: string;
    readonly eventIds?: readonly string[] | undefined;
    readonly by: string;
    readonly reason: string;
  },
): Promise<number> => {
  const { rowCount } = await session.query({
    name: 'lost-release',
    text: `UPDATE lost_event SET released_at = now(), released_by = $2, reason = $3
      WHERE stream_id = $1 AND holds AND released_at IS NULL AND ($4::uuid[] IS NULL OR event_id = ANY($4))`,
    values: [streamId, by, reason, eventIds],
  });
  return rowCount ?? 0;
};
