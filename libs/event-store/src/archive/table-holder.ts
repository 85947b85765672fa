import type { Pool } from 'pg';

/** A session that has held a lock on the table `events` for long. */
export interface TableHolder {
  /** The server process id. */
  readonly pid: number;
  /** The application name of the session; may be empty. */
  readonly program: string;
  /** When its transaction started; null if only a superuser may see it. */
  readonly since: Date | null;
}

/**
 * Finds a session that holds the table for long: pg_dump, or any session whose transaction is older than
 * `seconds`. No transaction of a service lasts ten seconds.
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
