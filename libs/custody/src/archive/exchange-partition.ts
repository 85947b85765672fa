import { isLockTimeout, isTooSlow, isTransient } from '@xs2a/postgres/errors';
import { inTransaction } from '@xs2a/postgres/transaction';
import { setTimeout as wait } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { logHead } from '@xs2a/event-store/recovery/log-gaps';
import { quotedName } from '@xs2a/event-store/streams/quoted-name';
import { formerTable, nextTable } from './month-partition.js';
import type { Month } from '@xs2a/event-store/months/months';
import { findHolder } from './table-holder.js';

// A month always keeps its partition: archiving and restoring replace the partition's table in one
// transaction that locks `events` for a few milliseconds. PostgreSQL cannot detach a partition concurrently
// if there is a default partition, and the events of streams that stay must never be missing.

const maxTries = 60;
const betweenTriesMs = 500;
const positionsAtOnce = 5000;

/** Thrown if an ended stream got an event that the file lacks. The message is for an operator. */
export class LateEvent extends Error {
  override readonly name = 'LateEvent';
}

/** Thrown if the table `events` was in use at every attempt. The message is for an operator. */
export class NotExchanged extends Error {
  override readonly name = 'NotExchanged';
}

export interface LateEvents {
  readonly month: Month;
  /** The next table has its streams' events up to this position; later ones are copied before the exchange. */
  readonly since: number;
  /**
   * True if the streams that are not in the next table are removed from `events`; an event appended to one of them
   * since then is a {@link LateEvent}. False if all streams stay.
   */
  readonly isLeaving: boolean;
}

export interface Exchange extends LateEvents {
  /** Does further work in the transaction that exchanges the tables. */
  record(client: PoolClient): Promise<void>;
}

/**
 * Replaces the month's partition with the next table; the old partition becomes the former table. Readers and
 * writers of events wait during the exchange. Each attempt waits for the lock for up to 200 ms and holds it for at
 * most two seconds, and attempts are repeated for half a minute. Throws {@link LateEvent} or {@link NotExchanged};
 * the latter is thrown immediately if another session, such as pg_dump, has been holding the lock for a long time.
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
          `the table events was in use on each of ${maxTries} attempts: run this again when there is less load`,
          { cause: error },
        );
      await wait(betweenTriesMs);
    }
  }
};

/** Throws if a session has long been holding the table: others would queue behind an attempt to lock it. */
const mustNotBeHeld = async (pool: Pool): Promise<void> => {
  const holder = await findHolder(pool);
  if (holder === undefined) return;
  const { pid, program, since } = holder;
  const begun = since === null ? '' : ` since ${since.toISOString()}`;
  throw new NotExchanged(
    `${program === '' ? 'a session' : program} (process ${pid} of PostgreSQL) holds the table events${begun}: run this again when it has ended`,
  );
};

/**
 * Copies the events appended since the last copy, one page of the log at a time, so that the transaction that
 * holds the lock has few events left to copy. Returns the position reached. Throws {@link LateEvent}.
 */
export const catchUp = async (pool: Pool, exchange: LateEvents): Promise<number> => {
  const head = await logHead(pool);
  for (let { since } = exchange; since < head; since += positionsAtOnce)
    await copyLate(pool, exchange, {
      keys: 'SELECT stream_id, version FROM log WHERE pos > $3 AND pos <= $4',
      values: [since, Math.min(since + positionsAtOnce, head)],
    });
  return Math.max(head, exchange.since);
};

/** Copies the given events that belong to the month. Throws {@link LateEvent}. */
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
        `the closed stream ${late.stream_id} received another event after the file was written: run this again`,
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
