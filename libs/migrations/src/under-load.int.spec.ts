// Lane: nightly (tables of many rows are migrated under load).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { backfill } from './backfill.js';
import { runMigrations } from './run-migrations.js';
import { dueColumn, dueRequired, largeTable, schema } from './testing/large-table.js';
import { freshDatabase, type FreshDatabase } from './testing/fresh-database.js';

/** A million by hand (MIGRATION_ROWS=1000000), see docs/how-to/write-a-migration.md; fewer where other tests run in parallel. */
const rows = Number(process.env['MIGRATION_ROWS'] ?? 50_000);
/** Fills the rows that the release before inserted behind the backfill, which have no value yet. */
class FilledAgain1700000000005 {
  readonly transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await backfill(runner, {
      name: 'large.due again',
      table: 'payments.large',
      key: 'id',
      keyType: 'bigint',
      set: 'due = length(t.status)',
      where: 't.due IS NULL',
    });
  }
  async down(): Promise<void> {}
}
const expanded = [...largeTable, ...dueColumn];

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase(schema);
  await runMigrations({ url: database.ownerUrl, schema, migrations: largeTable });
  await database.owner.query('SET statement_timeout = 0; SET transaction_timeout = 0');
  for (let from = 0; from < rows; from += 50_000)
    await database.owner.query(
      `INSERT INTO payments.large SELECT id, 'signed' FROM generate_series(${from + 1}, ${from + 50_000}) AS id`,
    );
}, 120_000);
afterAll(async () => database.close());

let added = rows;
/** Writes to the table until the answered function is called; every wait for a lock of a second and more is a failure. `columns`: of new rows. */
const startLoad = (
  pool: Pool,
  columns = "(id, status) VALUES ($1, 'new')",
): (() => Promise<{ statements: number; failures: string[]; slowestMs: number }>) => {
  const over = new AbortController();
  const seen = { statements: 0, failures: [] as string[], slowestMs: 0 };
  const client = async (number: number): Promise<void> => {
    const session = await pool.connect();
    try {
      await session.query("SET lock_timeout = '1s'");
      for (let step = 1; !over.signal.aborted; step += 1) {
        const begun = performance.now();
        const id = 1 + ((step * 7919 + number * 104_729) % rows);
        const work =
          step % 16 === 0
            ? session.query(`INSERT INTO large ${columns}`, [(added += 1)])
            : session.query('UPDATE large SET touched = touched + 1 WHERE id = $1', [id]);
        await work.catch((error: unknown) => seen.failures.push(String(error)));
        seen.statements += 1;
        seen.slowestMs = Math.max(seen.slowestMs, performance.now() - begun);
      }
    } finally {
      session.release();
    }
  };
  const running = Promise.all([0, 1, 2, 3].map(client));
  return async () => {
    over.abort();
    await running;
    return seen;
  };
};

/** Runs migrations under load, of which no request may fail. Returns the names that ran. */
const migrateUnderLoad = async (
  migrations: readonly (new () => MigrationInterface)[],
  columns?: string,
): Promise<readonly string[]> => {
  const stopLoad = startLoad(database.pool, columns);
  const begun = performance.now();
  const ran = await runMigrations({ url: database.ownerUrl, schema, migrations });
  const seconds = (performance.now() - begun) / 1000;
  const { statements, failures, slowestMs } = await stopLoad();
  process.stderr.write(
    `counts: ${ran.join(', ')} under load: ${seconds.toFixed(1)} s, ${statements} statements in that time, slowest ${Math.round(slowestMs)} ms\n`,
  );
  expect(failures).toEqual([]);
  expect(statements).toBeGreaterThan(20);
  return ran;
};
const withDue = "(id, status, due) VALUES ($1, 'new', 3)";
const ask = async (text: string): Promise<unknown[]> => (await database.owner.query(text)).rows;

describe('migrations under load (docs/how-to/write-a-migration.md)', () => {
  it('add, fill and index a column of a large table, and no writer waits a second for a lock', async () => {
    expect(await migrateUnderLoad(expanded)).toEqual([
      'Column1700000000002',
      'Filled1700000000003',
      'Index1700000000004',
    ]);
    expect(await ask(`SELECT FROM payments.large WHERE due IS NULL AND id <= ${rows}`)).toEqual([]);
    expect(
      await ask(`SELECT indisvalid FROM pg_index WHERE indexrelid = 'payments.large_due'::regclass`),
    ).toEqual([{ indisvalid: true }]);
  }, 240_000);

  it('cannot set NOT NULL while rows of the previous release lack a value, and that release can still insert', async () => {
    await expect(
      runMigrations({ url: database.ownerUrl, schema, migrations: [...expanded, ...dueRequired] }),
    ).rejects.toThrow('is violated by some row');
    await database.pool.query('INSERT INTO large (id, status) VALUES (0, $1)', ['new']);
  });

  it('run a second backfill and set NOT NULL once every instance writes the column', async () => {
    expect(await migrateUnderLoad([...expanded, FilledAgain1700000000005, ...dueRequired], withDue)).toEqual([
      'FilledAgain1700000000005',
      'Present1700000000006',
    ]);
    expect(
      await ask(
        `SELECT attnotnull AS required, (SELECT count(*)::int FROM pg_constraint WHERE conname LIKE 'large_due%' AND contype = 'c') AS checks
         FROM pg_attribute WHERE attrelid = 'payments.large'::regclass AND attname = 'due'`,
      ),
    ).toEqual([{ required: true, checks: 0 }]);
  }, 240_000);

  it('retry if a long-running reader holds the lock: waiting statements go first, and the lock is obtained when the reader ends', async () => {
    const reader = await database.owner.connect();
    await reader.query('SET transaction_timeout = 0; SET statement_timeout = 0; BEGIN');
    await reader.query('SELECT FROM payments.large LIMIT 1');
    class Another1700000000007 {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('ALTER TABLE payments.large ADD COLUMN another int');
      }
      async down(runner: QueryRunner): Promise<void> {
        await runner.query('ALTER TABLE payments.large DROP COLUMN another');
      }
    }
    const all = [...expanded, FilledAgain1700000000005, ...dueRequired, Another1700000000007];
    const stopLoad = startLoad(database.pool, withDue);
    const migrated = runMigrations({ url: database.ownerUrl, schema, migrations: all });
    let waits = 0;
    // Two tries for the lock have to be seen before the reader goes.
    for (let waiting = false; waits < 2;) {
      const { rows: found } = await database.owner.query(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'ALTER TABLE%'`,
      );
      if (!waiting && found.length > 0) waits += 1;
      waiting = found.length > 0;
    }
    await reader.query('COMMIT');
    reader.release();
    expect(await migrated).toEqual(['Another1700000000007']);
    expect((await stopLoad()).failures).toEqual([]);
  }, 60_000);
});
