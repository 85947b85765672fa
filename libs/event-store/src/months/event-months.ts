import type { Pool } from 'pg';

/** Returns the lowest stream id of the oldest month with a partition of `events`; undefined if there is none. */
export const oldestMonth = async (pool: Pool): Promise<string | undefined> => {
  const { rows } = await pool.query<{ first: string | null }>({
    name: 'oldest-month',
    text: `SELECT min(substring(pg_get_expr(relpartbound, pg_class.oid) FROM '\\(''([0-9a-f-]{36})''\\) TO')) AS first
      FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'events'::regclass`,
  });
  return rows[0]?.first ?? undefined;
};

/** True if a stream began (UUIDv7) in a month whose partition was detached: its events are elsewhere. */
export const isDetached = (streamId: string | undefined, oldest: string | undefined): boolean =>
  streamId !== undefined && oldest !== undefined && streamId.charAt(14) === '7' && streamId < oldest;
