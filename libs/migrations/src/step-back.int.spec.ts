import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueryRunner } from 'typeorm';
import { precedesBaseline } from './precedes-baseline.js';
import { runMigrations } from './run-migrations.js';
import { freshDatabase, type FreshDatabase } from './testing/fresh-database.js';

const schema = 'payments';

class Table1700000000001 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE payments.notes (id bigint PRIMARY KEY)');
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payments.notes');
  }
}
class Column1700000000002 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payments.notes ADD COLUMN text text');
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payments.notes DROP COLUMN text');
  }
}

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase(schema);
}, 120_000);
afterAll(async () => database.close());

describe('a rollback to the previous release (docs/how-to/upgrade.md)', () => {
  it('runs the migration job of that release again, which leaves the newer tables unchanged', async () => {
    const run = async (...migrations: (typeof Table1700000000001)[]): Promise<string[]> =>
      runMigrations({ url: database.ownerUrl, schema, migrations });
    expect(await run(Table1700000000001, Column1700000000002)).toHaveLength(2);
    await database.owner.query("INSERT INTO payments.notes VALUES (1, 'kept')");

    expect(await run(Table1700000000001)).toEqual([]);
    expect((await database.owner.query('SELECT id, text FROM payments.notes')).rows).toEqual([
      { id: 1, text: 'kept' },
    ]);

    expect(await run(Table1700000000001, Column1700000000002)).toEqual([]);
  });
});

describe('tables from before the baseline migration', () => {
  const baseline = { schema: 'consents', migrations: [Table1700000000001] } as const;
  const isOlder = async (): Promise<boolean> => precedesBaseline({ url: database.ownerUrl, ...baseline });

  it('are recognised if other migrations have run, but not the baseline', async () => {
    expect(await isOlder()).toBe(false);
    await database.owner.query('CREATE TABLE consents.migration (name text NOT NULL)');
    expect(await isOlder()).toBe(false);
    await database.owner.query(`INSERT INTO consents.migration VALUES ('Consents1600000000000')`);
    expect(await isOlder()).toBe(true);
    await database.owner.query('INSERT INTO consents.migration VALUES ($1)', [Table1700000000001.name]);
    expect(await isOlder()).toBe(false);
  });
});
