import { isLockTimeout, isTooSlow, isTransient } from '@xs2a/postgres/errors';
import { inTransaction } from '@xs2a/postgres/transaction';
import { setTimeout as wait } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { quotedName } from '../streams/quoted-name.js';
import { formerTable, nextTable } from './month-partition.js';
import type { Month } from './months.js';
import { findHolder } from './table-holder.js';

// A month keeps its partition for good: archiving and restoring put another table in its place, in one transaction that holds
// the lock on `events` for a few milliseconds. PostgreSQL does not detach concurrently from a table with a default partition,
// and carried-over streams must not be without their events for a moment.

const maxTries = 60;
const betweenTriesMs = 500;

/** An event came to a stream that had ended: the file does not have it. The message is for an operator. */
export class LateEvent extends Error {
  override readonly name = 'LateEvent';
}

/** The table `events` was in use all the time, so nothing was exchanged. The message is for an operator. */
export class NotExchanged extends Error {
  override readonly name = 'NotExchanged';
}

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
 * Throws {@link LateEvent}, and {@link NotExchanged}: at once when the lock is held for long, e.g. by pg_dump.
 */
export const exchangePartition = async (pool: Pool, exchange: Exchange): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    await mustNotBeHeld(pool);
    try {
      await inTransaction(pool, async (client) => exchangeNow(client, exchange));
      return;
    } catch (error) {
      if (!isLockTimeout(error) && !isTransient(error) && !isTooSlow(error)) throw error;
      if (tries === maxTries)
        throw new NotExchanged(
          `the table events was in use at each of ${maxTries} tries: run this again when there is less to do`,
          { cause: error },
        );
      await wait(betweenTriesMs);
    }
  }
};

/** Each try lets readers and writers queue behind it, so none is made while somebody holds the table for long. */
const mustNotBeHeld = async (pool: Pool): Promise<void> => {
  const holder = await findHolder(pool);
  if (holder === undefined) return;
  const { pid, program, since } = holder;
  const begun = since === null ? '' : ` since ${since.toISOString()}`;
  throw new NotExchanged(
    `${program === '' ? 'a session' : program} (process ${pid} of PostgreSQL) holds the table events${begun}: run this again when it has ended`,
  );
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
