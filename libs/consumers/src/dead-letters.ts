import { gauge } from '@xs2a/observability/metrics';
import type { Pool } from 'pg';

const waiting = gauge(
  'xs2a_dead_letters',
  'Events that a consumer could not handle and that wait for an operator',
  ['consumer'],
);

/** The state of an operator's replay request, or null if no replay has been requested since the letter was stored. */
type ReplayState = 'requested' | 'under-way' | 'failed';

/** Identifies a letter. A consumer stores each event as a dead letter at most once. */
export interface LetterId {
  readonly consumer: string;
  /** The event's position; for a message that is not an event, its negated stream sequence. */
  readonly pos: number;
}

/** An event that a consumer could not handle. */
export interface DeadLetter extends LetterId {
  readonly subject: string;
  /** The published message as JSON, or the raw text if the message is not JSON. */
  readonly body: string;
  /** The kind of the last error, without its data. */
  readonly reason: string;
  readonly addedAt: Date;
  readonly replay: ReplayState | null;
}

const columns = 'consumer, pos, subject, body, reason, buried_at AS "addedAt", replay';

/**
 * Stores a dead letter. If it already exists, updates its reason and returns false. A missing reason means that
 * the process ended while handling the event.
 */
export const putAside = async (
  pool: Pool,
  { consumer, pos, subject, body }: Omit<DeadLetter, 'reason' | 'addedAt' | 'replay'>,
  reason: string | null,
): Promise<boolean> => {
  const { rows } = await pool.query<{ added: boolean }>({
    name: 'letters-put-aside',
    text: `INSERT INTO dead_letter AS d (consumer, pos, subject, body, reason)
      VALUES ($1, $2, $3, $4, coalesce($5, 'the process ended during each delivery'))
      ON CONFLICT (consumer, pos) DO UPDATE SET reason = coalesce($5, d.reason) RETURNING xmax = 0 AS added`,
    values: [consumer, pos, subject, body, reason],
  });
  return rows[0]?.added === true;
};

/** Returns the oldest letters, at most `limit`. */
export const listDeadLetters = async (pool: Pool, limit = 100): Promise<DeadLetter[]> => {
  const { rows } = await pool.query<DeadLetter>({
    name: 'letters-list',
    text: `SELECT ${columns} FROM dead_letter ORDER BY buried_at, consumer, pos LIMIT $1`,
    values: [limit],
  });
  return rows;
};

/** Returns undefined if the letter has never existed or has been removed. */
export const readDeadLetter = async (
  pool: Pool,
  { consumer, pos }: LetterId,
): Promise<DeadLetter | undefined> => {
  const { rows } = await pool.query<DeadLetter>({
    name: 'letters-read',
    text: `SELECT ${columns} FROM dead_letter WHERE consumer = $1 AND pos = $2`,
    values: [consumer, pos],
  });
  return rows[0];
};

/**
 * Asks the consumer to handle a letter again. The consumer does so in its own process and then removes the letter.
 * Every effect is idempotent, so repeated requests have one effect. Returns false if the letter does not exist.
 */
export const requestReplay = async (pool: Pool, { consumer, pos }: LetterId): Promise<boolean> => {
  const { rowCount } = await pool.query({
    name: 'letters-request',
    text: `UPDATE dead_letter SET
        replay_tries = CASE WHEN replay = 'under-way' THEN replay_tries ELSE 0 END,
        replay = CASE WHEN replay = 'under-way' THEN replay ELSE 'requested' END
      WHERE consumer = $1 AND pos = $2`,
    values: [consumer, pos],
  });
  return rowCount === 1;
};

/**
 * Removes a letter permanently, so that its effect never happens. Returns false if the letter does not exist or is
 * being replayed.
 */
export const discardDeadLetter = async (pool: Pool, { consumer, pos }: LetterId): Promise<boolean> => {
  const { rowCount } = await pool.query({
    name: 'letters-discard',
    text: `DELETE FROM dead_letter WHERE consumer = $1 AND pos = $2 AND replay IS DISTINCT FROM 'under-way'`,
    values: [consumer, pos],
  });
  return rowCount === 1;
};

/**
 * Removes letters older than this many real days, oldest first and at most `limit`, and returns the number
 * removed. Keeps letters whose replay is requested or running, and letters that are currently locked.
 */
export const removeOldLetters = async (
  pool: Pool,
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<number> => {
  const { rowCount } = await pool.query({
    name: 'letters-remove-old',
    text: `DELETE FROM dead_letter WHERE (consumer, pos) IN (
        SELECT consumer, pos FROM dead_letter
        WHERE buried_at < now() - make_interval(days => $1) AND coalesce(replay, 'failed') = 'failed'
        ORDER BY buried_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    values: [days, limit],
  });
  return rowCount ?? 0;
};

/** Measures how many dead letters a consumer has. */
export const measureDeadLetters = async (pool: Pool, consumer: string): Promise<void> => {
  const { rows } = await pool.query<{ letters: number }>({
    name: 'letters-count',
    text: 'SELECT count(*) AS letters FROM dead_letter WHERE consumer = $1',
    values: [consumer],
  });
  waiting.set({ consumer }, rows[0]?.letters ?? 0);
};

/** Stops reporting letters, because their number is unknown now. */
export const forgetDeadLetters = (): void => waiting.reset();
