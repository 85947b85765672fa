import { indexUnderLoad } from '@xs2a/migrations/index-under-load';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the staff revealed within an hour. */
export class Reveals1796700000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await indexUnderLoad(runner, {
      schema: 'console',
      table: 'operator_event',
      name: 'operator_event_reveals',
      columns: "(at) WHERE type = 'revealed'",
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS console.operator_event_reveals');
  }
}
