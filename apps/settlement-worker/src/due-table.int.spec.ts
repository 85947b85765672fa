import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { createPool } from '@xs2a/postgres/pool';
import { inTransaction } from '@xs2a/postgres/transaction';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool, PoolClient } from 'pg';
import { claimDue } from './due-table.js';
import { migrations, schema } from './migrations/index.js';

let folder: string;
let postgres: PostgresServer;
/** As the worker's own (main.ts). */
let pool: Pool;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xs2a-due-'));
  postgres = await startPostgres({ dataDir: join(folder, 'pg'), durable: false });
  await prepareDatabases(postgres.url());
  await runMigrations({ url: postgres.url('xs2a_owner'), schema, migrations });
  pool = createPool({ url: postgres.url('xs2a_settlement'), name: 'due', byKey: true });
}, 60_000);
afterAll(async () => {
  await pool.end();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}, 30_000);

const noon = '2026-11-24T12:00:00.000Z';

/** So many settlements that became due one after the other, a second apart, the last of them at noon. */
const manyDue = async (count: number): Promise<void> => {
  await pool.query(
    `INSERT INTO due (payment_id, kind, due_at, payment_order)
      SELECT gen_random_uuid(), 'settle', $2::timestamptz - make_interval(secs => $1 - n),
        jsonb_build_object('remittance', repeat('Фактура ', 30)) FROM generate_series(1, $1) AS n`,
    [count, noon],
  );
};

/** Rows of the due table that this transaction has looked at. */
const rowsRead = async (client: PoolClient): Promise<number> => {
  const { rows } = await client.query<{ read: number }>(
    "SELECT seq_tup_read + idx_tup_fetch AS read FROM pg_stat_xact_user_tables WHERE relname = 'due'",
  );
  return rows[0]?.read ?? Number.NaN;
};

describe('what is due', () => {
  it('is claimed oldest first, at a cost that does not grow with what else is due', async () => {
    await manyDue(10_000);
    await inTransaction(pool, async (first) => {
      const claimed = await claimDue(first, 'settle', noon, 100);
      const times = claimed.map(({ dueAt }) => dueAt.getTime());
      expect(times).toEqual(
        Array.from({ length: 100 }, (_none, index) => Date.parse(noon) - (9999 - index) * 1000),
      );
      expect(await rowsRead(first)).toBeLessThanOrEqual(200);
      await inTransaction(pool, async (second) => {
        const next = await claimDue(second, 'settle', noon, 100);
        expect(next.map(({ dueAt }) => dueAt.getTime() - 100_000)).toEqual(times);
        expect(await rowsRead(second)).toBeLessThanOrEqual(400);
      });
    });
  });
});
