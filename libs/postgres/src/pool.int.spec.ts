import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { readMetric } from '@xs2a/observability/testing/read-metric';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { isUnavailable } from './errors.js';
import { createPool, maxTransactionMs } from './pool.js';
import { inTransaction } from './transaction.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-pool-'));
let server: PostgresServer;
const pools: Pool[] = [];

beforeAll(async () => {
  server = await startPostgres({ dataDir: join(folder, 'pg'), durable: false });
}, 60_000);
afterAll(async () => {
  await Promise.all(pools.map(async (pool) => pool.end()));
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const open = (options: Partial<Parameters<typeof createPool>[0]> = {}): Pool => {
  const pool = createPool({ url: server.url(), name: 'pool-test', ...options });
  pools.push(pool);
  return pool;
};
/** Returns the gauges of all open pools. */
const gauges = async (): Promise<Record<string, number>> => {
  const { '': max = 0 } = await readMetric('xs2a_pool_max_connections');
  const { '': waiting = 0 } = await readMetric('xs2a_pool_waiting');
  return { max, waiting, ...(await readMetric('xs2a_pool_connections')) };
};
const settings = async (pool: Pool): Promise<unknown> => {
  const names = ['transaction_timeout', 'statement_timeout', 'lock_timeout', 'search_path', 'enable_seqscan'];
  const { rows } = await pool.query<{ name: string; setting: string }>(
    'SELECT name, setting FROM pg_settings WHERE name = ANY($1)',
    [names],
  );
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
};

describe('the connection pool (quality, Reliability)', () => {
  it('makes the server end a transaction that stays open, which releases its snapshot', async () => {
    const pool = open();
    const begun = performance.now();
    let ended = 0;
    const failed = await inTransaction(pool, async (client) => {
      await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await client.query('SELECT');
      await new Promise<void>((resolve) => {
        client.once('end', resolve);
      });
      ended = performance.now() - begun;
      await client.query('SELECT');
    }).catch((error: unknown) => error);
    expect(ended).toBeGreaterThan(maxTransactionMs - 1000);
    expect(ended).toBeLessThan(maxTransactionMs + 2000);
    expect(isUnavailable(failed)).toBe(true);
    const { rows } = await pool.query("SELECT FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'");
    expect(rows).toEqual([]);
  }, 20_000);

  it('makes the server cancel a long statement before the transaction limit, and keeps the connection', async () => {
    const pool = open();
    const client = await pool.connect();
    await expect(client.query('SELECT pg_sleep(10)')).rejects.toMatchObject({ code: '57014' });
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    client.release();
  }, 20_000);

  it('applies its limits in addition to the options from the URL and from byKey', async () => {
    const url = new URL(server.url());
    url.searchParams.set('options', '-c search_path=pg_catalog');
    const bounds = { transaction_timeout: '5000', statement_timeout: '4500', lock_timeout: '1500' };
    expect(await settings(open({ url: url.href }))).toEqual({
      ...bounds,
      search_path: 'pg_catalog',
      enable_seqscan: 'on',
    });
    expect(await settings(open({ byKey: true }))).toMatchObject({ ...bounds, enable_seqscan: 'off' });
  });

  it('is measured while it is open: connections in use, and statements that wait for one', async () => {
    const before = await gauges();
    const more = (changes: Record<string, number>): Record<string, number> =>
      Object.fromEntries(Object.entries(before).map(([name, value]) => [name, value + (changes[name] ?? 0)]));
    const pool = open({ max: 2 });
    const clients = [await pool.connect(), await pool.connect()];
    const waiting = pool.query('SELECT');
    expect(await gauges()).toEqual(more({ max: 2, busy: 2, waiting: 1 }));
    for (const client of clients) client.release();
    await waiting;
    expect(await gauges()).toEqual(more({ max: 2, idle: 2 }));
    await pool.end();
    pools.splice(pools.indexOf(pool), 1);
    expect(await gauges()).toEqual(before);
  });
});
