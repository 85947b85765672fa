import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { indexUnderLoad } from './index-under-load.js';
import { freshDatabase, type FreshDatabase } from './testing/fresh-database.js';

const schema = 'payments';
let database: FreshDatabase;
const ask = async (text: string, values?: unknown[]): Promise<unknown[]> =>
  (await database.owner.query(text, values)).rows;
beforeAll(async () => {
  database = await freshDatabase(schema);
  await database.owner.query(`
    CREATE TABLE large (id int PRIMARY KEY, status text) PARTITION BY RANGE (id);
    CREATE TABLE large_1 PARTITION OF large FOR VALUES FROM (0) TO (100);
    CREATE TABLE large_2 PARTITION OF large FOR VALUES FROM (100) TO (200);
    INSERT INTO large SELECT id, 'signed' FROM generate_series(0, 199) AS id`);
}, 120_000);
afterAll(async () => database.close());

const name = 'large_status';
const make = async (columns = '(status, id)'): Promise<void> =>
  indexUnderLoad({ query: ask as never }, { schema, name, table: 'large', columns });
const indexes = async (): Promise<unknown[]> =>
  ask(
    `SELECT indrelid::regclass::text AS table, indisvalid AS valid FROM pg_index WHERE indexrelid::regclass::text LIKE '%large_status' ORDER BY 1`,
  );

describe('an index on a partitioned table such as events (docs/how-to/write-a-migration.md)', () => {
  it('is built on each partition without a lock that blocks writers', async () => {
    const writer = await database.owner.connect();
    await writer.query('SET transaction_timeout = 0; SET statement_timeout = 0; BEGIN');
    await writer.query("INSERT INTO large_1 SELECT 1000, 'signed' WHERE false");
    const begun = make();
    const waits = async (): Promise<boolean> =>
      (
        await ask(
          `SELECT FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONCURRENTLY%' AND wait_event_type = 'Lock'`,
        )
      ).length > 0;
    while (!(await waits()));
    // While it waits for the transaction that is older, others write.
    await database.pool.query('SELECT 1');
    await ask("UPDATE large SET status = 'settled' WHERE id = 7");
    await writer.query('COMMIT');
    writer.release();
    await begun;
    expect(await indexes()).toEqual([
      { table: 'large', valid: true },
      { table: 'large_1', valid: true },
      { table: 'large_2', valid: true },
    ]);
  }, 30_000);

  it('also exists on the partition of a future month', async () => {
    await ask('CREATE TABLE large_3 PARTITION OF large FOR VALUES FROM (200) TO (300)');
    expect(await ask(`SELECT FROM pg_index WHERE indrelid = 'large_3'::regclass`)).toHaveLength(2);
  });

  it('is resumed after the partitions that an interrupted run completed', async () => {
    await ask('DROP INDEX large_status');
    await ask('CREATE INDEX large_status ON ONLY large (status, id)');
    await ask('CREATE INDEX large_1_large_status ON large_1 (status, id)');
    const [before] = await ask(`SELECT 'large_1_large_status'::regclass::oid AS oid`);
    await make();
    expect(await ask(`SELECT 'large_1_large_status'::regclass::oid AS oid`)).toEqual([before]);
    expect(await indexes()).toHaveLength(4);
    expect(await indexes()).not.toContainEqual(expect.objectContaining({ valid: false }));
  });
});
