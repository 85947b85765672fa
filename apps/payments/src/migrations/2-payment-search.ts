import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = `
ALTER TABLE payments.payment_view
  ADD COLUMN created_at timestamptz,
  ADD COLUMN amount_minor bigint,
  ADD COLUMN currency text;
COMMENT ON COLUMN payments.payment_view.created_at IS
  'time of the POST; null in a row that an earlier release wrote and that was not rebuilt since';
COMMENT ON COLUMN payments.payment_view.amount_minor IS
  'instructed amount in minor units: of a periodic order of each payment, of a bulk payment the sum';
-- Searches of operators in personal data are recorded like exports and erasures.
GRANT INSERT, SELECT (id) ON payments.privacy_log TO xs2a_payments;
COMMENT ON TABLE payments.privacy_log IS
  'when an operator searched, exported or erased the data of a person; rows are never changed';
COMMENT ON COLUMN payments.privacy_log.streams IS
  'number of payments, consents and baskets found; of a search, the number searched';
`;

/** The columns by which an operator finds payments. Existing rows get their values when the view is rebuilt. */
export class PaymentSearch1795777200001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statements);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      REVOKE INSERT, SELECT (id) ON payments.privacy_log FROM xs2a_payments;
      ALTER TABLE payments.payment_view DROP COLUMN created_at, DROP COLUMN amount_minor, DROP COLUMN currency;
    `);
  }
}
