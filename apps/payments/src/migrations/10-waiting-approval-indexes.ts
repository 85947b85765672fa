import { indexUnderLoad } from '@xs2a/migrations/index-under-load';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The indexes of the rows that wait for the approval of a PSU, in the order in which `readWaiting` reads them. They are B-trees, because
 * PostgreSQL uses a GIN index only in a bitmap scan, and some services turn bitmap scans off for their connections.
 */
const indexes = {
  payment_view: 'payment_awaited',
  basket_view: 'basket_awaited',
};
const columns = '(stream_id) WHERE awaited IS NOT NULL';

export class WaitingApprovalIndexes1797100000002 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, name] of Object.entries(indexes))
      await indexUnderLoad(runner, { schema: 'payments', table, name, columns });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.values(indexes)) await runner.query(`DROP INDEX payments.${name}`);
  }
}
