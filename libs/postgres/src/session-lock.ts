import type { Pool, QueryConfig, QueryResult, QueryResultRow } from 'pg';

/** A connection that runs its statements one at a time. */
export interface Session {
  query<Row extends QueryResultRow>(statement: string | QueryConfig): Promise<QueryResult<Row>>;
}

/** A lock held by a session. `term` increases each time the lock is taken. */
export interface HeldLock {
  readonly name: string;
  readonly term: number;
}

/**
 * Returns SQL that creates a schema's table of locks (docs/adr/0072). A row names the session that holds the lock.
 * Only roles with privileges on the schema can take a lock, whereas PostgreSQL's advisory locks are open to every
 * role of the database.
 */
export const sessionLockTable = (schema: string): string => `
CREATE TABLE IF NOT EXISTS "${schema}".session_lock (
  name text PRIMARY KEY,
  term bigint NOT NULL,
  pid int,
  role oid,
  session_start timestamptz
);
COMMENT ON TABLE "${schema}".session_lock IS 'who leads, archives, rebuilds or migrates: a lock is had while the session lives that its row names';
GRANT SELECT, INSERT, UPDATE ON "${schema}".session_lock TO "xs2a_${schema}";
`;

/**
 * With these settings, PostgreSQL ends a session eleven seconds after the client's host has vanished, which
 * releases its locks. The TCP default is two hours.
 */
export const vanishedHostSettings: Readonly<Record<string, number>> = {
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 10_000,
};

/** Returns the SQL expressions that change these settings for the session. */
export const setForSession = (settings: Readonly<Record<string, number>>): string =>
  Object.entries(settings)
    .map(([setting, value]) => `set_config('${setting}', '${value}', false)`)
    .join(', ');

/**
 * Returns an SQL condition that is true if the session named by a row of `session_lock` is alive. PostgreSQL shows
 * every role the process ids of all sessions, but the start times of only its own sessions. For another role's
 * session, the process id must therefore suffice.
 */
export const isLive = (lock: string): string =>
  `EXISTS (SELECT FROM pg_stat_get_activity(${lock}.pid) AS s
    WHERE s.usesysid = ${lock}.role AND coalesce(s.backend_start, ${lock}.session_start) = ${lock}.session_start)`;

/**
 * SQL that takes the lock `$1` for this session unless a live session holds it; returns no row if the lock was not
 * taken. If two sessions find it free, one takes it, and the other finds a higher term than it had read. A
 * session's transactions end before it disappears from the list of sessions, so the previous holder can no longer
 * write.
 */
export const takeLock = `WITH free AS (
    SELECT coalesce(max(l.term), 0) AS term FROM session_lock l WHERE l.name = $1
    HAVING count(*) FILTER (WHERE ${isLive('l')}) = 0
  )
  INSERT INTO session_lock AS l (name, term, pid, role, session_start)
  SELECT $1, free.term + 1, own.pid, own.usesysid, own.backend_start FROM free, pg_stat_get_activity(pg_backend_pid()) AS own
  ON CONFLICT (name) DO UPDATE
    SET term = excluded.term, pid = excluded.pid, role = excluded.role, session_start = excluded.session_start
    WHERE l.term = excluded.term - 1
  RETURNING l.term`;

/**
 * Takes a lock of the session's schema; returns undefined if another session holds it. The lock is held until
 * {@link unlock} or until the session ends.
 */
export const tryLock = async (session: Session, name: string): Promise<HeldLock | undefined> => {
  const { rows } = await session.query<{ term: number }>({
    name: 'lock-take',
    text: takeLock,
    values: [name],
  });
  return rows[0] === undefined ? undefined : { name, term: Number(rows[0].term) };
};

/** Returns true if the session still holds the lock, that is, if no other session has taken it since. */
export const holdsLock = async (
  session: Session,
  { name, term }: HeldLock,
  answerWithinMs?: number,
): Promise<boolean> => {
  const { rows } = await session.query({
    name: 'lock-held',
    text: 'SELECT 1 FROM session_lock WHERE name = $1 AND term = $2 AND pid = pg_backend_pid()',
    values: [name, term],
    ...(answerWithinMs === undefined ? {} : { query_timeout: answerWithinMs }),
  });
  return rows.length > 0;
};

const unlock = async (session: Session, { name, term }: HeldLock): Promise<void> => {
  await session.query({
    name: 'lock-return',
    text: 'UPDATE session_lock SET pid = NULL, role = NULL, session_start = NULL WHERE name = $1 AND term = $2',
    values: [name, term],
  });
};

/** Throws if the lock was lost with its session, or taken by another one. */
export type MustHoldLock = () => Promise<void>;

/**
 * Runs work while holding a lock of the pool's schema. Throws `refused` if another session holds the lock. The
 * work must check the lock before each irreversible step.
 */
export const withSessionLock = async <Result>(
  pool: Pool,
  name: string,
  { refused, lost }: { readonly refused: () => Error; readonly lost: (cause: unknown) => Error },
  work: (mustHoldLock: MustHoldLock) => Promise<Result>,
): Promise<Result> => {
  const session = await pool.connect();
  // Without a listener, a lost connection would end the process. The next query on it fails and reports the
  // error.
  session.on('error', () => undefined);
  try {
    await session.query(`SELECT ${setForSession(vanishedHostSettings)}`);
    const held = await tryLock(session, name);
    if (held === undefined) throw refused();
    try {
      return await work(async () => {
        const isHeld = await holdsLock(session, held).catch((error: unknown) => {
          throw lost(error);
        });
        if (!isHeld) throw lost(undefined);
      });
    } finally {
      // Released here, so that the next run need not wait until PostgreSQL notices that the session has
      // ended. An error here can only mean that the connection was lost, which releases the lock too. It is
      // ignored so that an error of the work is the one reported.
      await unlock(session, held).catch(() => undefined);
    }
  } finally {
    session.release(true);
  }
};
