import type { Pool, PoolClient } from 'pg';
import { hostname } from 'node:os';
import {
  type HeldLock,
  holdsLock,
  type Session,
  setForSession,
  tryLock,
  vanishedHostSettings,
} from './session-lock.js';

/** Options for waiting for a lock. */
interface Waiting {
  readonly stop: AbortSignal;
  readonly everyMs?: number;
  /** Called each time the lock turns out to be held by another instance, which leads. */
  readonly heldElsewhere?: () => void;
}

/**
 * PostgreSQL ends a session that is silent for this long, which releases its lock; `renewMs` is well below this
 * value.
 */
const silentMs = 10_000;
const renewMs = 2500;
/** The timeout of a renewal, after which the lock counts as lost. */
const answerMs = 5000;
const settings: Readonly<Record<string, number>> = {
  idle_session_timeout: silentMs,
  idle_in_transaction_session_timeout: silentMs,
  ...vanishedHostSettings,
};
/**
 * Returns the session's name in `pg_stat_activity`, which shows which instance holds the lock and which ones wait
 * for it.
 */
const sessionName = (lock: string, state: 'active' | 'standby'): string => `${lock} ${state} ${hostname()}`;

/**
 * A session that holds a named lock of its schema (session-lock.ts); only one of all candidate processes can hold
 * it. The lock is lost with the connection, or within 15 seconds if the process is frozen or its host has
 * vanished: PostgreSQL ends silent sessions, and a running process renews its session. The leader's writes must
 * also be fenced by a key, or go through the session.
 */
export class LeaderLock {
  private held: HeldLock | undefined;
  private readonly loss = new AbortController();
  private last: Promise<unknown> = Promise.resolve();
  private renewal: NodeJS.Timeout | undefined;
  private released = false;

  private constructor(private readonly connection: PoolClient) {
    connection.on('error', () => this.lose());
    connection.on('end', () => this.lose());
  }

  /**
   * Tries every `everyMs` until the lock is obtained; returns undefined if `stop` aborts first. Throws if the
   * database is down.
   */
  static async acquire(
    pool: Pool,
    name: string,
    { stop, everyMs = 200, heldElsewhere }: Waiting,
  ): Promise<LeaderLock | undefined> {
    const lock = new LeaderLock(await pool.connect());
    try {
      await lock.prepare(sessionName(name, 'standby'));
      while (!stop.aborted) {
        const taken = await lock.take(name);
        if (taken === 'had') {
          await lock.prepare(sessionName(name, 'active'));
          // A failed renewal means that the lock is lost; `lost` then notifies the work that depends on it.
          lock.renewal = setInterval(() => void lock.confirm().catch(() => undefined), renewMs);
          return lock;
        }
        if (taken === 'led') heldElsewhere?.();
        await pause(everyMs, stop);
      }
    } catch (error) {
      lock.release();
      throw error;
    }
    lock.release();
    return undefined;
  }

  /** The session that holds the lock. */
  readonly client: Session = {
    query: async (statement) => {
      const mine = this.last.then(async () => this.connection.query(statement));
      // The caller receives the error. The next statement only waits for this one to finish.
      this.last = mine.catch(() => undefined);
      return mine;
    },
  };

  /** Aborted as soon as the connection is lost, and the lock with it. */
  get lost(): AbortSignal {
    return this.loss.signal;
  }

  /** Resolves if the lock is still held; throws if it is lost. */
  async confirm(): Promise<void> {
    try {
      if (this.held === undefined || !(await holdsLock(this.client, this.held, answerMs)))
        throw new Error('the lock was given to another session');
    } catch (error) {
      this.lose();
      throw error;
    }
  }

  /** Ends the session, so that the next leader can start. */
  release(): void {
    clearInterval(this.renewal);
    if (this.released) return;
    this.released = true;
    this.connection.release(true);
  }

  /** `led`: another instance leads; `kept`: a session holds the lock but does not declare that it leads. */
  private async take(name: string): Promise<'had' | 'led' | 'kept'> {
    const held = await tryLock(this.client, name);
    if (held === undefined) return (await this.isLed(name)) ? 'led' : 'kept';
    this.held = held;
    return 'had';
  }

  /** True if an instance leads, that is, a live session holds the lock and declares that it leads. */
  private async isLed(name: string): Promise<boolean> {
    const { rows } = await this.client.query({
      name: 'lock-leader',
      text: `SELECT 1 FROM session_lock l, pg_stat_get_activity(l.pid) AS s WHERE l.name = $1 AND s.usesysid = l.role
          AND s.backend_start = l.session_start AND starts_with(s.application_name, $2)`,
      values: [name, `${name} active`],
    });
    return rows.length > 0;
  }

  private lose(): void {
    this.loss.abort();
    this.release();
  }

  private async prepare(name: string): Promise<void> {
    await this.client.query({
      text: `SELECT set_config('application_name', left($1, 63), false), ${setForSession(settings)}`,
      values: [name],
    });
  }
}

/** Waits for the lock, runs the work while holding it, and releases it. Does nothing if `stop` aborts first. */
export const runAsLeader = async (
  pool: Pool,
  name: string,
  waiting: Waiting,
  work: (lock: LeaderLock) => Promise<void>,
): Promise<void> => {
  const lock = await LeaderLock.acquire(pool, name, waiting);
  if (lock === undefined) return;
  try {
    await work(lock);
  } finally {
    lock.release();
  }
};

/** Work that ran for at least this long was healthy, so a failure after that counts as the first one. */
const wellAfterMs = 5000;
const maxPauseMs = 2000;

/** Repeats the work until stopped, with increasing pauses after errors. */
export const repeat = async (
  work: () => Promise<void>,
  stop: AbortSignal,
  failed: (error: unknown) => void,
): Promise<void> => {
  let failures = 0;
  while (!stop.aborted) {
    const begun = performance.now();
    try {
      await work();
    } catch (error) {
      failed(error);
      failures = performance.now() - begun > wellAfterMs ? 1 : failures + 1;
      await pause(Math.min(maxPauseMs, 50 * 2 ** failures), stop);
    }
  }
};

/** Waits this many milliseconds, or until the signal aborts. */
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
