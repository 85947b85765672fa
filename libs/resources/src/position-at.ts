import type { Pool } from 'pg';

/** OFFSET 0 makes PostgreSQL look up each position by primary key. */
const eventFrom = `
  SELECT l.pos, e.occurred_at AS at FROM log l CROSS JOIN LATERAL (
    SELECT occurred_at FROM events WHERE stream_id = l.stream_id AND version = l.version OFFSET 0) AS e
  WHERE l.pos >= $1 ORDER BY l.pos LIMIT 1`;

/**
 * Returns the last position of a log whose event had happened by a moment, in epoch milliseconds; 0 if there is none. It is found
 * in about twenty look-ups, because positions follow time. Events that several instances stored within the same milliseconds may
 * have their positions in another order.
 */
export const positionAt = async (pool: Pool, atMs: number): Promise<number> => {
  const { rows } = await pool.query<{ head: number }>('SELECT coalesce(max(pos), 0) AS head FROM log');
  let found = 0;
  let last = rows[0]?.head ?? 0;
  while (found < last) {
    const middle = Math.ceil((found + last) / 2);
    const { rows: events } = await pool.query<{ pos: number; at: Date }>({
      name: 'log-event-from',
      text: eventFrom,
      values: [middle],
    });
    const [event] = events;
    if (event !== undefined && event.pos <= last && event.at.getTime() <= atMs) found = event.pos;
    else last = middle - 1;
  }
  return found;
};
