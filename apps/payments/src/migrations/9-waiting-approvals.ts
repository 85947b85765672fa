import { withoutValueStatistics } from '@xs2a/migrations/without-value-statistics';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the column `awaited`, by which an operator finds what waits for the approval of a PSU. An existing row gets its value with the
 * next event of its resource or when the status view is rebuilt; until then the search does not find the row.
 */
export class WaitingApprovals1797100000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payments.payment_view ADD COLUMN awaited jsonb;
      ALTER TABLE payments.basket_view ADD COLUMN awaited jsonb;
      COMMENT ON COLUMN payments.payment_view.awaited IS
        'ids of the PSUs for whose approval it waits, as far as they are known; null: it waits for nobody who is known';
      COMMENT ON COLUMN payments.basket_view.awaited IS
        'ids of the PSUs for whose approval it waits, as far as they are known; null: it waits for nobody who is known';
    `);
    // Without this, PostgreSQL would store PSU-IDs in its column statistics, and they would remain there after the rows are deleted.
    await withoutValueStatistics(runner, {
      schema: 'payments',
      table: 'payment_view',
      columns: { awaited: null },
    });
    await withoutValueStatistics(runner, {
      schema: 'payments',
      table: 'basket_view',
      columns: { awaited: null },
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payments.payment_view DROP COLUMN awaited;
      ALTER TABLE payments.basket_view DROP COLUMN awaited;
    `);
  }
}
