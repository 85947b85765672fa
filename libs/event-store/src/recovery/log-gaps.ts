import type { Session } from '@xs2a/postgres/session-lock';
import type { Pool, PoolClient } from 'pg';

/**
 * Positions that were assigned and published before the database went back to an earlier state (by failover to a
 * replica that lagged behind, or by restoring a copy). Their events are lost, and the positions are not reused.
 */
export interface LogGap {
  /** The last position before the gap. */
  readonly after: number;
  /** The last position in the gap. */
  readonly upTo: number;
  readonly foundAt: Date;
}

/** SQL for the last assigned position, whether of an event or in a gap, or 0 if there is none. */
export const lastGiven = `greatest((SELECT max(pos) FROM log), (SELECT max(up_to) FROM log_gap), 0)`;

const position = async (session: Session, sql: string): Promise<number> => {
  const { rows } = await session.query<{ pos: number }>(`SELECT ${sql} AS pos`);
  return rows[0]?.pos ?? 0;
};
/** Returns the last position of an event, or 0 if there is none. */
export const logHead = async (session: Session): Promise<number> =>
  position(session, '(SELECT coalesce(max(pos), 0) FROM log)');
/** Returns the last assigned position, whether of an event or in a gap, or 0 if there is none. */
export const logEnd = async (session: Session): Promise<number> => position(session, lastGiven);

/** Returns the gaps of a log, in order. With `days`, returns only those found within this number of days. */
export const logGaps = async (session: Pool | PoolClient, days?: number): Promise<readonly LogGap[]> => {
  const { rows } = await session.query<LogGap>({
    name: 'log-gaps',
    text: `SELECT after, up_to AS "upTo", found_at AS "foundAt" FROM log_gap
      WHERE $1::int IS NULL OR found_at > now() - make_interval(days => $1) ORDER BY after`,
    values: [days],
  });
  return rows;
};

export const isInGap = (gaps: readonly LogGap[], pos: number): boolean =>
  gaps.some(({ after, upTo }) => pos > after && pos <= upTo);
