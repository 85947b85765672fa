import type { Pool } from 'pg';

/**
 * Resends dead letters for another 24 hours: those with the given ids, all of them, or all of a TPP. Notifications
 * that follow one of them wait for it again. Returns the ids that were resent; ids that are not dead letters are
 * omitted.
 */
export const replayDead = async (
  pool: Pool,
  { ids, tpp }: { readonly ids?: readonly string[] | undefined; readonly tpp?: string | undefined },
): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>(
    `UPDATE notification SET state = 'waiting', ended_at = NULL, next_try_at = now(), failures = 0, first_failed_at = NULL
     WHERE state = 'dead' AND ($1::uuid[] IS NULL OR notification_id = ANY($1)) AND ($2::text IS NULL OR tpp_id = $2)
     RETURNING notification_id AS id`,
    [ids, tpp],
  );
  return rows.map(({ id }) => id);
};
