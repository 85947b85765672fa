import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The status view tells the payment service of each initiation; all that are stored are single payments. */
export class PaymentServices1700000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payments.payment_view ADD COLUMN service text NOT NULL DEFAULT 'payments';
      COMMENT ON COLUMN payments.payment_view.service IS 'payments, periodic-payments or bulk-payments';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payments.payment_view DROP COLUMN service');
  }
}
