import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueryRunner } from 'typeorm';
import { runMigrations } from './run-migrations.js';
import { oldRelease, type OldRelease } from './testing/old-release.js';

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

let database: OldRelease;
beforeAll(async () => {
  database = await oldRelease(schema);
}, 120_000);
afterAll(async () => database.close());

describe('a step back to the release before (docs/how-to/upgrade.md)', () => {
  it('lets its migration job run once more, which changes nothing in the newer tables', async () => {
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
