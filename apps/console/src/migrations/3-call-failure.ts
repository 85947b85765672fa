import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the name of the first failure to the rows of calls, from which the rule is found. */
export class CallFailure1796500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE console.call ADD COLUMN failure text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE console.call DROP COLUMN failure');
  }
}
