import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The bank is asked about the payees of a payment by one instance at a time (contract 15). */
export class PayeeVerificationLeases1795888800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE payments.payee_verification_lease (
        payment_id uuid PRIMARY KEY,
        holder uuid NOT NULL,
        until timestamptz NOT NULL
      );
      COMMENT ON TABLE payments.payee_verification_lease IS
        'payments about whose payees an instance asks the bank now; until (real time) another may ask if it crashed';
      GRANT SELECT, INSERT, UPDATE, DELETE ON payments.payee_verification_lease TO xs2a_payments;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payments.payee_verification_lease');
  }
}
