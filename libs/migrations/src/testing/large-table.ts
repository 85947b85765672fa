// Migrations of a table of many rows, as an author would write them, for tests of the runner.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { backfill } from '../backfill.js';
import { indexUnderLoad } from '../index-under-load.js';
import { notNullUnderLoad } from '../not-null-under-load.js';

export const schema = 'payments';

class Table1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE payments.large (id bigint PRIMARY KEY, status text NOT NULL, touched int NOT NULL DEFAULT 0) WITH (fillfactor = 60);
      GRANT SELECT, INSERT, UPDATE ON payments.large TO xs2a_payments`);
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payments.large');
  }
}
class Column1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payments.large ADD COLUMN due int');
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payments.large DROP COLUMN due');
  }
}
class Filled1700000000003 implements MigrationInterface {
  readonly transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await backfill(runner, {
      name: 'large.due',
      table: 'payments.large',
      key: 'id',
      keyType: 'bigint',
      set: 'due = length(t.status)',
      where: 't.due IS NULL',
    });
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('UPDATE payments.large SET due = NULL');
  }
}
class Index1700000000004 implements MigrationInterface {
  readonly transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await indexUnderLoad(runner, { schema, name: 'large_due', table: 'large', columns: '(due, id)' });
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX payments.large_due');
  }
}
class Present1700000000006 implements MigrationInterface {
  readonly transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await notNullUnderLoad(runner, { schema, table: 'large', column: 'due' });
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payments.large ALTER due DROP NOT NULL');
  }
}

/** Makes the table. */
export const largeTable = [Table1700000000001] as const;
/** Adds a column, fills and indexes it. */
export const dueColumn = [Column1700000000002, Filled1700000000003, Index1700000000004] as const;
/** Forbids NULL in the column. */
export const dueRequired = [Present1700000000006] as const;
