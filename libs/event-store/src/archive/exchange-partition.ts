import { isLockTimeout, isTooSlow, isTransient } from '@xs2a/postgres/errors';
import { inTransaction } from '@xs2a/postgres/transaction';
import { setTimeout as wait } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { logHead } from '../streams/log-gaps.js';
import { quotedName } from '../streams/quoted-name.js';
import { formerTable, nextTable } from './month-partition.js';
import type { Month } from './months.js';
import { findHolder } from './table-holder.js';

// A month keeps its partition for good: archiving and restoring put another table in its place, in one transaction that holds
// the lock on `events` for a few milliseconds. PostgreSQL does not detach concurrently from a table with a default partition,
// and carried-over streams must not be without their events for a moment.

const maxTries = 60;
const betweenTriesMs = 500;
const positionsAtOnce = 5000;

/** An event came to a stream that had ended: the file does not have it. The message is for an operator. */
export class LateEvent extends Error {
  override readonly name = 'LateEvent';
}

/** The table `events` was in use all the time, so nothing was exchanged. The message is for an operator. */
export class NotExchanged extends Error {
  override readonly name = 'NotExchanged';
}

export interface LateEvents {
  readonly month: Month;
  /** The next table has all events of its streams up to this position of the log; those that came later are copied. */
  readonly since: number;
  /** Streams that are not in the next table leave `events`: one of them that got an event since is a {@link LateEvent}. Otherwise all stay. */
  readonly isLeaving: boolean;
}

export interface Exchange extends LateEvents {
  /** Work that is done in the transaction that exchanges the tables. */
  record(client: PoolClient): Promise<void>;
}

/**
 * Puts the next table in the place of the month's partition, which becomes its former table. Readers and writers of events wait
 * meanwhile: the lock is waited for a fifth of a second and held for at most two, then it is tried again, for half a minute.
 * Throws {@link LateEvent}, and {@link NotExchanged}: at once when the lock is held for long, e.g. by pg_dump.
 */
export const exchangePartition = async (pool: Pool, exchange: Exchange): Promise<void> => {
  let { since } = exchange;
  for (let tries = 1; ; tries += 1) {
    await mustNotBeHeld(pool);
    since = await catchUp(pool, { ...exchange, since });
    const late = { ...exchange, since };
    try {
      await inTransaction(pool, async (client) => exchangeNow(client, late));
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

/** Copies what came since, a page of the log at a time, so that little is left for the transaction under the lock. Answers up to where. Throws {@link LateEvent}. */
export const catchUp = async (pool: Pool, exchange: LateEvents): Promise<number> => {
  const head = await logHead(pool);
  for (let { since } = exchange; since < head; since += positionsAtOnce)
    await copyLate(pool, exchange, {
      keys: 'SELECT stream_id, version FROM log WHERE pos > $3 AND pos <= $4',
      values: [since, Math.min(since + positionsAtOnce, head)],
    });
  return Math.max(head, exchange.since);
};

/** Copies these events, as far as they are of the month. Throws {@link LateEvent}. */
const copyLate = async (
  session: Pool | PoolClient,
  { month, isLeaving }: LateEvents,
  { keys, values }: { readonly keys: string; readonly values: readonly number[] },
): Promise<void> => {
  const isCarried = `EXISTS (SELECT FROM ${nextTable(month)} n WHERE n.stream_id = late.stream_id)`;
  const lateEvents = `(${keys}) AS late WHERE late.stream_id > $1 AND late.stream_id < $2`;
  const parameters = [month.from, month.to, ...values];
  if (isLeaving) {
    const { rows } = await session.query<{ stream_id: string }>(
      `SELECT late.stream_id FROM ${lateEvents} AND NOT ${isCarried} LIMIT 1`,
      parameters,
    );
    const [late] = rows;
    if (late !== undefined)
      throw new LateEvent(
        `stream ${late.stream_id} had ended and has got another event since the file was written: run this again`,
      );
  }
  await session.query(
    `INSERT INTO ${nextTable(month)} SELECT e.* FROM (SELECT late.* FROM ${lateEvents}) AS late
     CROSS JOIN LATERAL (SELECT * FROM events e WHERE e.stream_id = late.stream_id AND e.version = late.version OFFSET 0) AS e
     ON CONFLICT DO NOTHING`,
    parameters,
  );
};

const exchangeNow = async (client: PoolClient, exchange: Exchange): Promise<void> => {
  const { month, since, record } = exchange;
  await client.query("SET LOCAL lock_timeout = '200ms'");
  await client.query("SET LOCAL statement_timeout = '2s'");
  await client.query('LOCK TABLE ONLY events IN ACCESS EXCLUSIVE MODE');
  await copyLate(client, exchange, {
    keys: 'SELECT stream_id, version FROM log WHERE pos > $3 UNION SELECT stream_id, version FROM unsequenced',
    values: [since],
  });
  const partition = quotedName(month.partition);
  await client.query(`ALTER TABLE events DETACH PARTITION ${partition}`);
  await client.query(`ALTER TABLE ${partition} RENAME TO ${formerTable(month)}`);
  await client.query(`ALTER TABLE ${nextTable(month)} RENAME TO ${partition}`);
  await client.query(
    `ALTER TABLE events ATTACH PARTITION ${partition} FOR VALUES FROM ('${month.from}') TO ('${month.to}')`,
  );
  await record(client);
};
