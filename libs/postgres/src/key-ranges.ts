import type { Pool } from 'pg';
import { lowestId } from './key-pages.js';

/** Contains the rows whose key is greater than the first value and at most the second. */
export type KeyRange = readonly [after: string, upTo: string];

const highest = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Divides a table by an indexed key of type uuid, so that a full scan can use short statements, each with its own
 * snapshot. Yields the ranges in order, with about `rows` rows each. Together they cover every possible key, so
 * rows of other tables with the same key also fall into exactly one range. `table`: the SQL name, including the
 * schema.
 */
export async function* keyRanges(
  pool: Pool,
  {
    table,
    key = 'stream_id',
    rows = 2000,
  }: { readonly table: string; readonly key?: string; readonly rows?: number },
): AsyncGenerator<KeyRange> {
  for (let after = lowestId; ;) {
    const { rows: found } = await pool.query<{ end: string }>(
      `SELECT ${key} AS end FROM ${table} WHERE ${key} > $1 ORDER BY ${key} OFFSET $2 LIMIT 1`,
      [after, rows - 1],
    );
    const upTo = found[0]?.end ?? highest;
    yield [after, upTo];
    if (upTo === highest) return;
    after = upTo;
  }
}
