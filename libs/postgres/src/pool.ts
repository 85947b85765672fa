import { Pool, type QueryConfig, TypeOverrides, types } from 'pg';
import type { Logger } from '@xs2a/observability/logger';
import { measurePool } from './pool-gauges.js';
import { partTls } from './tls.js';

/**
 * Parses bigint columns as numbers. Amounts and positions in this system stay far below 2^53; a larger value is an
 * error.
 */
const integer = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('bigint beyond the safe integers');
  return value;
};

const parsers = new TypeOverrides();
parsers.setTypeParser(types.builtins.INT8, integer);
// A date is a calendar day, not an instant, so the text from PostgreSQL is kept as it is.
parsers.setTypeParser(types.builtins.DATE, (text) => text);

/** For statements that cost the server almost no time: if there is no reply after 1.5 s, the server is frozen. */
export const promptly = <Query extends QueryConfig>(query: Query): Query => ({
  ...query,
  query_timeout: 1500,
});

export interface PoolOptions {
  /** The database URL. For `sslmode=verify-full`, see {@link partTls}. */
  readonly url: string;
  /** The name shown in pg_stat_activity. */
  readonly name: string;
  readonly max?: number;
  /** Milliseconds after which a statement without a reply, and its connection, count as lost. Default 6 s. */
  readonly answerWithinMs?: number;
  /**
   * True if every statement finds its rows by key or reads the first few in index order. PostgreSQL then plans
   * each statement once instead of on every execution. It uses indexes even if the tables were small at planning
   * time, and does not collect and sort all matches to return a few. Not suitable for ranges that may match
   * anything from no rows to all rows.
   */
  readonly byKey?: boolean;
  /**
   * Milliseconds after which the server ends a transaction. Default {@link maxTransactionMs}. May be longer only
   * while no service is running.
   */
  readonly transactionMs?: number;
  readonly logger?: Logger;
}

/** The number of idle connections to keep open, because a new one costs PostgreSQL a process and takes 10 to 50 ms. */
const keptConnections = 4;

const alongKeys = ['plan_cache_mode=force_generic_plan', 'enable_seqscan=off', 'enable_bitmapscan=off'];

/**
 * The server ends every transaction, and its session, after this time, whatever the transaction is waiting for. No
 * transaction can therefore hold a snapshot long enough to prevent vacuuming of the busy tables. Requires
 * PostgreSQL 17 or newer.
 */
export const maxTransactionMs = 5000;

/**
 * Creates a pool with time limits: at most 1.5 s to connect, 1.5 s for a lock, 4.5 s for a statement and 5 s for a
 * transaction. Nothing therefore waits forever, even on a frozen server that can no longer cancel its statements.
 */
export const createPool = ({
  url,
  name,
  max = 10,
  answerWithinMs = 6000,
  byKey = false,
  transactionMs = maxTransactionMs,
  logger,
}: PoolOptions): Pool => {
  // If the URL contains options, pg ignores separate ones, so both are combined.
  const { url: plainUrl, ssl } = partTls(url);
  const address = new URL(plainUrl);
  const settings = [`transaction_timeout=${transactionMs}`, ...(byKey ? alongKeys : [])];
  const options = [address.searchParams.get('options'), ...settings.map((setting) => `-c ${setting}`)];
  address.searchParams.delete('options');
  const pool = new Pool({
    connectionString: address.href,
    ssl,
    application_name: name,
    max,
    min: Math.min(keptConnections, max),
    types: parsers,
    connectionTimeoutMillis: 1500,
    idleTimeoutMillis: 30_000,
    statement_timeout: transactionMs - 500,
    query_timeout: answerWithinMs,
    lock_timeout: 1500,
    keepAlive: true,
    options: options.filter((option) => option !== null).join(' '),
  });
  pool.on('error', (error) => logger?.warn({ error }, 'lost an idle database connection'));
  measurePool(pool);
  return pool;
};
