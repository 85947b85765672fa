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
  /** Streams whose events are copied, also those that came behind the position `since`. */
  readonly streamIds: readonly string[];
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

/** Throws {@link LateEvent} when a stream of the month that is not one of these has got an event behind a position. */
export const mustHaveNoLateEvent = async (
  session: Pool | PoolClient,
  { month, streamIds, since }: Pick<Exchange, 'month' | 'streamIds' | 'since'>,
): Promise<void> => {
  const { rows } = await session.query<{ stream_id: string }>(
    `SELECT stream_id FROM (
       SELECT stream_id FROM log WHERE pos > $3 UNION ALL SELECT stream_id FROM unsequenced
     ) AS late WHERE stream_id > $1 AND stream_id < $2 AND NOT stream_id = ANY($4::uuid[]) LIMIT 1`,
    [month.from, month.to, since, streamIds],
  );
  const [late] = rows;
  if (late !== undefined)
    throw new LateEvent(
      `stream ${late.stream_id} had ended and has got another event since the file was written`,
    );
};

const exchangeNow = async (
  client: PoolClient,
  { month, streamIds, since, record }: Exchange,
): Promise<void> => {
  await client.query("SET LOCAL lock_timeout = '200ms'");
  await client.query("SET LOCAL statement_timeout = '2s'");
  await client.query('LOCK TABLE ONLY events IN ACCESS EXCLUSIVE MODE');
  await mustHaveNoLateEvent(client, { month, streamIds, since });
  await client.query(
    `INSERT INTO ${nextTable(month)} SELECT e.* FROM events e JOIN (
       SELECT stream_id, version FROM log WHERE pos > $1 UNION SELECT stream_id, version FROM unsequenced
     ) AS late USING (stream_id, version) WHERE e.stream_id = ANY($2::uuid[]) ON CONFLICT DO NOTHING`,
    [since, streamIds],
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
