import type { Pool } from 'pg';
import { oneRow } from '../connections.js';

const blocksAtOnce = 1000;

/**
 * Removes the rows of a table that match `condition`, for conditions that no index supports. Works on a few
 * megabytes at a time, so that no statement runs for long. `$1` and `$2` are the bounds of the block; the values
 * start at `$3`.
 */
export const removeInBlocks = async (
  pool: Pool,
  table: string,
  condition: string,
  values: readonly unknown[],
): Promise<void> => {
  const { blocks } = await oneRow<{ blocks: number }>(
    pool,
    "SELECT pg_relation_size($1::regclass) / current_setting('block_size')::bigint AS blocks",
    [table],
  );
  for (let first = 0; first < blocks; first += blocksAtOnce)
    await pool.query(`DELETE FROM ${table} WHERE ctid >= $1::tid AND ctid < $2::tid AND (${condition})`, [
      `(${first},0)`,
      `(${first + blocksAtOnce},0)`,
      ...values,
    ]);
};
