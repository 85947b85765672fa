import { inTransaction } from '@xs2a/postgres/transaction';
import { setTimeout as wait } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { quotedName } from '../streams/quoted-name.js';
import { logHead } from '../streams/log-gaps.js';
import type { Month } from './months.js';

// A month keeps its partition for good: archiving and restoring put another table in its place, in one transaction that holds
// the lock on `events` for a few milliseconds. PostgreSQL does not detach concurrently from a table with a default partition,
// and carried-over streams must not be without their events for a moment.

/** Streams that are copied at a time. */
const pageSize = 200;
const maxTries = 60;
const betweenTriesMs = 500;

/** An event came to a stream that had ended: the file does not have it. The message is for an operator. */
export class LateEvent extends Error {
  override readonly name = 'LateEvent';
}

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

export interface Exchange {
  readonly month: Month;
  /** Events of streams in the next table that came behind this position are copied too. */
  readonly since: number;
  /** Done in the same transaction. */
  record(client: PoolClient): Promise<void>;
}

/**
 * Puts the next table in the place of the month's partition, which becomes its former table. Who reads or writes events waits
 * meanwhile: the lock is waited for a fifth of a second and held for at most two, then it is tried again, for half a minute.
 * Throws {@link LateEvent}.
 */
export const exchangePartition = async (pool: Pool, exchange: Exchange): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    try {
      await inTransaction(pool, async (client) => exchangeNow(client, exchange));
      return;
    } catch (error) {
      const isBusy = ['55P03', '40P01', '57014'].includes(String(Reflect.get(Object(error), 'code')));
      if (!isBusy || tries === maxTries) throw error;
      await wait(betweenTriesMs);
    }
  }
};

/** Throws {@link LateEvent} when a stream of the month that is not in the next table has got an event behind a position. */
export const mustHaveNoLateEvent = async (
  session: Pool | PoolClient,
  { month, since }: Pick<Exchange, 'month' | 'since'>,
): Promise<void> => {
  const { rows } = await session.query<{ stream_id: string }>(
    `SELECT stream_id FROM (
       SELECT stream_id FROM log WHERE pos > $3 UNION ALL SELECT stream_id FROM unsequenced
     ) AS late WHERE stream_id > $1 AND stream_id < $2
       AND NOT EXISTS (SELECT FROM ${nextTable(month)} n WHERE n.stream_id = late.stream_id) LIMIT 1`,
    [month.from, month.to, since],
  );
  const [late] = rows;
  if (late !== undefined)
    throw new LateEvent(
      `stream ${late.stream_id} had ended and has got another event since the file was written`,
    );
};

const exchangeNow = async (client: PoolClient, { month, since, record }: Exchange): Promise<void> => {
  await client.query("SET LOCAL lock_timeout = '200ms'");
  await client.query("SET LOCAL statement_timeout = '2s'");
  await client.query('LOCK TABLE ONLY events IN ACCESS EXCLUSIVE MODE');
  await mustHaveNoLateEvent(client, { month, since });
  await client.query(
    `INSERT INTO ${nextTable(month)} SELECT e.* FROM events e JOIN (
       SELECT stream_id, version FROM log WHERE pos > $1 UNION SELECT stream_id, version FROM unsequenced
     ) AS late USING (stream_id, version)
     WHERE EXISTS (SELECT FROM ${nextTable(month)} n WHERE n.stream_id = e.stream_id) ON CONFLICT DO NOTHING`,
    [since],
  );
  const partition = quotedName(month.partition);
  await client.query(`ALTER TABLE events DETACH PARTITION ${partition}`);
  await client.query(`ALTER TABLE ${partition} RENAME TO ${formerTable(month)}`);
  await client.query(`ALTER TABLE ${nextTable(month)} RENAME TO ${partition}`);
  await client.query(
    `ALTER TABLE events ATTACH PARTITION ${partition} FOR VALUES FROM ('${month.from}') TO ('${month.to}')`,
  );
  await record(client);
};
