import { indexBesideLoad } from '@xs2a/migrations/index-beside-load';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The status view says in which lane a payment is due: a number that follows from its debtor account. Rows of the release before have
 * none until their next event; they are found in the order of time alone.
 */
export class DueLanes1796030000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payments.payment_view ADD COLUMN due_lane bigint;
      COMMENT ON COLUMN payments.payment_view.due_lane IS
        '16 bits that follow from the debtor account, by which due work is taken fairly; null: nothing is to be done';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payments.payment_view DROP COLUMN due_lane');
  }
}

/** The due payments of each lane, the oldest first. */
export class DueLanesIndex1796030000001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await indexBesideLoad(runner, {
      schema: 'payments',
      name: 'payment_due_in_lane',
      table: 'payment_view',
      columns: '(due_lane, due_at, stream_id) WHERE due_at IS NOT NULL AND due_lane IS NOT NULL',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX payments.payment_due_in_lane');
  }
}
