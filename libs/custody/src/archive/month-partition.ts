import { keyPages } from '@xs2a/postgres/key-pages';
import type { Pool } from 'pg';
import { quotedName } from '@xs2a/event-store/streams/quoted-name';
import type { Month } from '@xs2a/event-store/months/months';

/** The number of streams that one statement copies. */
const streamsAtOnce = 200;
/** The number of events that one statement copies or counts. */
const eventsAtOnce = 5000;

/** The table that will replace the partition. */
export const nextTable = ({ partition }: Month): string => quotedName(`${partition}_next`);
/** The table that was the partition before the exchange. */
export const formerTable = ({ partition }: Month): string => quotedName(`${partition}_former`);

export const dropNextTable = async (pool: Pool, month: Month): Promise<void> =>
  void (await pool.query(`DROP TABLE IF EXISTS ${nextTable(month)}`));

/** Creates an empty next table with the month's bounds as a constraint, so that attaching it reads no rows. */
export const makeNextTable = async (pool: Pool, month: Month): Promise<void> => {
  await dropNextTable(pool, month);
  await pool.query(`CREATE TABLE ${nextTable(month)} (LIKE events INCLUDING ALL,
    CHECK (stream_id >= '${month.from}' AND stream_id < '${month.to}'))`);
};

export const isThere = async (pool: Pool, table: string): Promise<boolean> => {
  const { rows } = await pool.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [
    table,
  ]);
  return rows[0]?.there === true;
};

interface Key {
  readonly stream_id: string;
  readonly version: number;
}

const beforeFirst = ({ from }: Month): Key => ({ stream_id: from, version: -1 });

/** Counts the events in one of the month's tables that satisfy a condition on the row `c`. */
const countEvents = async (
  pool: Pool,
  month: Month,
  { table, where }: { readonly table: string; readonly where: string },
): Promise<number> => {
  const pages = keyPages(beforeFirst(month), async ({ stream_id, version }) =>
    pool.query<Key & { counts: boolean }>(
      `SELECT c.stream_id, c.version, ${where} AS counts FROM ${table} c
       WHERE (c.stream_id, c.version) > ($1, $2) ORDER BY c.stream_id, c.version LIMIT ${eventsAtOnce}`,
      [stream_id, version],
    ),
  );
  let counted = 0;
  for await (const page of pages) counted += page.filter(({ counts }) => counts).length;
  return counted;
};

/** Counts the events of the partition whose streams are not in the next table: an exchange removes them. */
export const countLeaving = async (pool: Pool, month: Month): Promise<number> =>
  countEvents(pool, month, {
    table: quotedName(month.partition),
    where: `NOT EXISTS (SELECT FROM ${nextTable(month)} n WHERE n.stream_id = c.stream_id)`,
  });

/** Counts the events of the former table that are not in `events`. Undefined if there is no such table. */
export const countGone = async (pool: Pool, month: Month): Promise<number | undefined> => {
  const table = formerTable(month);
  if (!(await isThere(pool, table))) return undefined;
  return countEvents(pool, month, {
    table,
    where: 'NOT EXISTS (SELECT FROM events e WHERE e.stream_id = c.stream_id AND e.version = c.version)',
  });
};

/** Copies the events of these streams to the next table. */
export const copyStreams = async (pool: Pool, month: Month, streamIds: readonly string[]): Promise<void> => {
  for (let first = 0; first < streamIds.length; first += streamsAtOnce) {
    await pool.query(
      `INSERT INTO ${nextTable(month)} SELECT * FROM events WHERE stream_id = ANY($1::uuid[]) ON CONFLICT DO NOTHING`,
      [streamIds.slice(first, first + streamsAtOnce)],
    );
  }
};

/** Copies all events in the month's partition to the next table. */
export const copyPartition = async (pool: Pool, month: Month): Promise<void> => {
  const pages = keyPages(beforeFirst(month), async ({ stream_id, version }) =>
    pool.query<Key>(
      `WITH page AS MATERIALIZED (
         SELECT * FROM ${quotedName(month.partition)} WHERE (stream_id, version) > ($1, $2)
         ORDER BY stream_id, version LIMIT ${eventsAtOnce}
       ), copied AS (INSERT INTO ${nextTable(month)} SELECT * FROM page ON CONFLICT DO NOTHING)
       SELECT stream_id, version FROM page ORDER BY stream_id DESC, version DESC LIMIT 1`,
      [stream_id, version],
    ),
  );
  for await (const _page of pages);
};
