import type { Pool } from 'pg';

/** A session that has held a lock on the table `events` for a long time. */
export interface TableHolder {
  /** The server process id of the session. */
  readonly pid: number;
  /** The session's application name; may be empty. */
  readonly program: string;
  /** The start of its transaction, or null if only a superuser may see it. */
  readonly since: Date | null;
}

/**
 * Finds a session that has held the table for a long time: pg_dump, or any session whose transaction is older than
 * `seconds`. A service's transactions always end within ten seconds.
 */
export const findHolder = async (pool: Pool, seconds = 10): Promise<TableHolder | undefined> => {
  const { rows } = await pool.query<TableHolder>(
    `SELECT a.pid, a.application_name AS program, a.xact_start AS since
     FROM pg_locks l JOIN pg_stat_activity a USING (pid) JOIN pg_database d ON d.oid = l.database
     WHERE l.relation = 'events'::regclass AND l.granted AND d.datname = current_database() AND a.pid <> pg_backend_pid()
       AND (a.application_name = 'pg_dump' OR a.xact_start < now() - make_interval(secs => $1)) LIMIT 1`,
    [seconds],
  );
  return rows[0];
};
