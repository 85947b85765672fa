import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Pool } from 'pg';
import { type ComparedPage, comparePage } from './compare-tables.js';
import { type SampleDatabase, startSampleDatabase } from '../testing/sample-stream.js';

let database: SampleDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await startSampleDatabase();
  pool = database.superuserPool('payments');
  for (const table of ['one', 'other']) {
    await pool.query(`CREATE TABLE ${table} (day date, name text, value int, PRIMARY KEY (day, name))`);
    await pool.query(
      `INSERT INTO ${table} SELECT date '2026-01-01' + n / 1000, 'n' || n, n FROM generate_series(1, 25000) AS n`,
    );
  }
}, 60_000);
afterAll(async () => database.stop());

const comparePages = async (): Promise<number[]> => {
  const found: number[] = [];
  let page: ComparedPage | undefined;
  do {
    page = await inTransaction(pool, async (client) => comparePage(client, ['one', 'other'], page?.end));
    found.push(page.differing);
  } while (page.end !== undefined);
  return found;
};

it('compares tables page by page, whichever has more rows (invariant 5)', async () => {
  expect(await comparePages()).toEqual([0, 0, 0]);
  await pool.query('UPDATE one SET value = 0 WHERE value = 3');
  await pool.query('DELETE FROM other WHERE value = 15000');
  await pool.query("INSERT INTO other SELECT '2027-01-01', 'x' || n, n FROM generate_series(1, 10000) AS n");
  const found = await comparePages();
  expect(found.length).toBe(4);
  expect(found.reduce((sum, differing) => sum + differing, 0)).toBe(2 + 1 + 10_000);
});
