import type { Pool } from 'pg';
import { quotedName } from '../streams/quoted-name.js';
import { logHead } from '../streams/log-gaps.js';
import type { Month } from './months.js';

/** Streams that are copied at a time. */
const pageSize = 200;

/** The table that is about to take the partition's place. */
export const nextTable = ({ partition }: Month): string => quotedName(`${partition}_next`);
/** The table that had its place before. */
export const formerTable = ({ partition }: Month): string => quotedName(`${partition}_former`);

/** Makes the next table of a month, empty, with the month's bounds, so that attaching it reads none of its rows. */
export const makeNextTable = async (pool: Pool, month: Month): Promise<void> => {
  const table = nextTable(month);
  await pool.query(`DROP TABLE IF EXISTS ${table}`);
  await pool.query(`CREATE TABLE ${table} (LIKE events INCLUDING ALL,
    CHECK (stream_id >= '${month.from}' AND stream_id < '${month.to}'))`);
};

/** Events that are counted at a time. */
const countedAtOnce = 5000;

/** The number of events in a table of the month for which a condition on its row `c` holds; read in pages. */
const countEvents = async (
  pool: Pool,
  month: Month,
  { table, where }: { readonly table: string; readonly where: string },
): Promise<number> => {
  let counted = 0;
  for (let after: readonly [string, number] = [month.from, -1]; ;) {
    const { rows }: { rows: { stream_id: string; version: number; counts: boolean }[] } = await pool.query<{
      stream_id: string;
      version: number;
      counts: boolean;
    }>(
      `SELECT c.stream_id, c.version, ${where} AS counts FROM ${table} c
       WHERE (c.stream_id, c.version) > ($1, $2) ORDER BY c.stream_id, c.version LIMIT ${countedAtOnce}`,
      [...after],
    );
    counted += rows.filter(({ counts }) => counts).length;
    const last = rows.at(-1);
    if (last === undefined) return counted;
    after = [last.stream_id, last.version];
  }
};

/** Events in the month's partition of streams that the next table has not: they leave with the exchange. */
export const countLeaving = async (pool: Pool, month: Month): Promise<number> =>
  countEvents(pool, month, {
    table: quotedName(month.partition),
    where: `NOT EXISTS (SELECT FROM ${nextTable(month)} n WHERE n.stream_id = c.stream_id)`,
  });

/** Events in the month's former table that are no longer in `events`; undefined when that table is gone. */
export const countGone = async (pool: Pool, month: Month): Promise<number | undefined> => {
  const table = formerTable(month);
  const { rows } = await pool.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [
    table,
  ]);
  if (rows[0]?.there !== true) return undefined;
  return countEvents(pool, month, {
    table,
    where: 'NOT EXISTS (SELECT FROM events e WHERE e.stream_id = c.stream_id AND e.version = c.version)',
  });
};

/** Copies the events of these streams to the next table; answers the last position that the log had before. */
export const copyStreams = async (
  pool: Pool,
  month: Month,
  streamIds: readonly string[],
): Promise<number> => {
  const head = await logHead(pool);
  for (let first = 0; first < streamIds.length; first += pageSize) {
    await pool.query(
      `INSERT INTO ${nextTable(month)} SELECT * FROM events WHERE stream_id = ANY($1::uuid[]) ON CONFLICT DO NOTHING`,
      [streamIds.slice(first, first + pageSize)],
    );
  }
  return head;
};
