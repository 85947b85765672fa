import { indexUnderLoad } from '@xs2a/migrations/index-under-load';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds an index on `psu_id` for the condition `isCreatedBy`, which checks the TPP that created a person. The primary key of the table
 * begins with the TPP, because it serves the list of all people that one TPP created.
 */
export class CreatorOfAPsu1795900000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await indexUnderLoad(runner, {
      schema: 'accounts',
      table: 'created_psu',
      name: 'created_psu_by_psu',
      columns: '(psu_id)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS accounts.created_psu_by_psu');
  }
}
