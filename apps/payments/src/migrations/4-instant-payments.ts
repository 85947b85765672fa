import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = `
ALTER TABLE payments.payment_view ADD COLUMN reason_code text;
COMMENT ON COLUMN payments.payment_view.reason_code IS
  'ISO 20022 code of the reason why an instant payment was rejected; null for every other payment';
`;

/** The column from which the status of an instant payment is answered. */
export class InstantPayments1795860000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statements);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payments.payment_view DROP COLUMN reason_code');
  }
}
