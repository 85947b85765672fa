import type { Pool } from 'pg';

/** Where an operator's request to handle a letter again stands; null: nobody asked, or not since it was put aside. */
export type ReplayState = 'requested' | 'under-way' | 'failed';

/** Names one letter: a consumer puts aside an event once. */
export interface LetterId {
  readonly consumer: string;
  /** Position in the stream. */
  readonly pos: number;
}

/** An event that a consumer could not handle. */
export interface BuriedEvent extends LetterId {
  readonly subject: string;
  /** As it was published; JSON, unless that was the trouble. */
  readonly body: string;
  /** The kind of the last error, without its data. */
  readonly reason: string;
  readonly buriedAt: Date;
  readonly replay: ReplayState | null;
}

const columns = 'consumer, pos, subject, body, reason, buried_at AS "buriedAt", replay';

/** The oldest letters first, at most `limit`. */
export const listDeadLetters = async (pool: Pool, limit = 100): Promise<BuriedEvent[]> => {
  const { rows } = await pool.query<BuriedEvent>({
    name: 'letters-list',
    text: `SELECT ${columns} FROM dead_letter ORDER BY buried_at, consumer, pos LIMIT $1`,
    values: [limit],
  });
  return rows;
};

export const countDeadLetters = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ letters: number }>({
    name: 'letters-count',
    text: 'SELECT count(*) AS letters FROM dead_letter',
  });
  return rows[0]?.letters ?? 0;
};

/** Undefined when there is no such letter (any more). */
export const readDeadLetter = async (
  pool: Pool,
  { consumer, pos }: LetterId,
): Promise<BuriedEvent | undefined> => {
  const { rows } = await pool.query<BuriedEvent>({
    name: 'letters-read',
    text: `SELECT ${columns} FROM dead_letter WHERE consumer = $1 AND pos = $2`,
    values: [consumer, pos],
  });
  return rows[0];
};

/**
 * Asks the consumer to handle a letter again. It does so in its own process and in one transaction that also removes the
 * letter: however often it is asked for, the effect happens once. False when there is no such letter.
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

/** Forgets a letter for good: its effect will never happen. False when there is no such letter, or it is being replayed. */
export const discardDeadLetter = async (pool: Pool, { consumer, pos }: LetterId): Promise<boolean> => {
  const { rowCount } = await pool.query({
    name: 'letters-discard',
    text: `DELETE FROM dead_letter WHERE consumer = $1 AND pos = $2 AND replay IS DISTINCT FROM 'under-way'`,
    values: [consumer, pos],
  });
  return rowCount === 1;
};
