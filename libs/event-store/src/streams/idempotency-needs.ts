import type { Pool } from 'pg';

/**
 * For each master key other than the current one, returns the time until which repeated requests need it, by the
 * name of the key. They need it to find records of the last 24 hours that were stored only under that key; a
 * record stored during a rotation has a row under each key.
 */
export const idempotencyNeeds = async (
  pool: Pool,
  { current, nowMs }: { readonly current: string; readonly nowMs: number },
): Promise<ReadonlyMap<string, Date>> => {
  const { rows } = await pool.query<{ key_name: string; until: Date }>(
    `SELECT o.key_name, max(o.expires_at) AS until FROM idempotency_key o
     WHERE o.expires_at > $1 AND o.key_name <> $2 AND NOT EXISTS (
       SELECT FROM idempotency_key c WHERE c.expires_at = o.expires_at AND c.key_name = $2
         AND c.tpp_id = o.tpp_id AND c.path = o.path AND c.answer::text = o.answer::text)
     GROUP BY o.key_name ORDER BY o.key_name`,
    [new Date(nowMs), current],
  );
  return new Map(rows.map(({ key_name: name, until }) => [name, until]));
};
