import type { Pool } from 'pg';

/** True if the key of a stream's personal data was erased, so that nobody can read them. */
export const isErased = async (pool: Pool, streamId: string): Promise<boolean> => {
  const { rows } = await pool.query<{ isErased: boolean }>({
    name: 'is-erased',
    text: 'SELECT EXISTS (SELECT FROM stream_key WHERE stream_id = $1 AND wrapped IS NULL) AS "isErased"',
    values: [streamId],
  });
  return rows[0]?.isErased === true;
};
