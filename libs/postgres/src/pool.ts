import { Pool, type QueryConfig, TypeOverrides, types } from 'pg';
import type { Logger } from '@xs2a/observability/logger';
import { partTls } from './tls.js';

/** bigint columns as numbers: every amount and position here stays far below 2^53; one that does not is an error. */
const integer = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('bigint beyond the safe integers');
  return value;
};

const parsers = new TypeOverrides();
parsers.setTypeParser(types.builtins.INT8, integer);
// A date is a calendar day, not an instant: it stays text as PostgreSQL sends it.
parsers.setTypeParser(types.builtins.DATE, (text) => text);

/** A statement that costs the server no time: without a reply after 1.5 s, the server is frozen. */
export const promptly = <Query extends QueryConfig>(query: Query): Query => ({
  ...query,
  query_timeout: 1500,
});

export interface PoolOptions {
  /** With `sslmode=verify-full`: {@link partTls}. */
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  readonly max?: number;
  /** Milliseconds until a statement without a reply counts as lost, and its connection with it. Default 6 s. */
  readonly answerWithinMs?: number;
  /**
   * Every statement finds its rows by key, or reads the first few in the order of an index. PostgreSQL then plans each once
   * instead of every time, and uses indexes, however small the tables were at that moment: it does not collect and sort
   * all matches to return a few. Not for ranges that may match anything from nothing to all.
   */
  readonly byKey?: boolean;
  /** Milliseconds after which the server ends a transaction. Default {@link maxTransactionMs}; longer only where no service runs. */
  readonly transactionMs?: number;
  readonly logger?: Logger;
}

/** Number of idle connections to keep open: a new one costs PostgreSQL a process, and 10 to 50 ms. */
const keptConnections = 4;

const alongKeys = ['plan_cache_mode=force_generic_plan', 'enable_seqscan=off', 'enable_bitmapscan=off'];

/**
 * The server ends every transaction after this time, whatever it waits for, and its session with it: no transaction holds a
 * snapshot longer, which would prevent the cleanup of removed rows in the busy tables. PostgreSQL 17 or newer.
 */
export const maxTransactionMs = 5000;

/**
 * A limited pool: connecting takes at most 1.5 s, a lock at most 1.5 s, a statement at most 4.5 s and a transaction at
 * most 5 s, so nothing waits forever, even for a frozen server that can no longer cancel its statements.
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
  // pg prefers the options in the URL to the separate ones, so both are joined.
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
  return pool;
};
