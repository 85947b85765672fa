import type { Pool, PoolClient } from 'pg';

/** How to wait for a lock. */
interface Waiting {
  readonly stop: AbortSignal;
  readonly everyMs?: number;
  /** Called each time that another session was found to have it. */
  readonly heldElsewhere?: () => void;
}

/**
 * A session that holds a named lock of the database: of all processes that ask, one has it. It is lost with the
 * connection, so whatever the leader writes has to be fenced by a key as well.
 */
export class LeaderLock {
  private constructor(
    /** The session's own connection. */
    readonly client: PoolClient,
    /** Aborted once the connection, and the lock with it, is lost. */
    readonly lost: AbortSignal,
  ) {}

  /** Asks every `everyMs` until the lock is ours; undefined when `stop` came first. Throws when the database is away. */
  static async acquire(
    pool: Pool,
    name: string,
    { stop, everyMs = 200, heldElsewhere }: Waiting,
  ): Promise<LeaderLock | undefined> {
    const client = await pool.connect();
    const lost = new AbortController();
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    try {
      while (!stop.aborted) {
        const { rows } = await client.query<{ held: boolean }>({
          name: 'leader-lock',
          text: "SELECT pg_try_advisory_lock(hashtextextended(current_schema() || '.' || $1, 0)) AS held",
          values: [name],
        });
        if (rows[0]?.held === true) return new LeaderLock(client, lost.signal);
        heldElsewhere?.();
        await pause(everyMs, stop);
      }
    } catch (error) {
      client.release(true);
      throw error;
    }
    client.release(true);
    return undefined;
  }

  /** Ends the session; the next leader may begin. */
  release(): void {
    this.client.release(true);
  }
}

/** Waits some milliseconds, or until the signal comes. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
};
