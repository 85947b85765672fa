import { firstEventStoreTables } from '@xs2a/migrations/event-store-history';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The payments' events and their status view. The service may add events, never change or remove them. */
export class Payments1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(firstEventStoreTables('payments', 'xs2a_payments'));
    await runner.query(`
      CREATE TABLE payments.payment_view (
        stream_id uuid PRIMARY KEY,
        version int NOT NULL,
        state jsonb NOT NULL,
        tpp_id text NOT NULL,
        product text NOT NULL,
        status text NOT NULL,
        funds_available boolean,
        rejection_reason text,
        psu_id text,
        unsigned_until timestamptz,
        signed_at timestamptz,
        hidden boolean NOT NULL DEFAULT false
      ) WITH (fillfactor = 60);
      CREATE INDEX payment_unsigned ON payments.payment_view (unsigned_until) WHERE unsigned_until IS NOT NULL;
      CREATE INDEX payment_signed_by_psu ON payments.payment_view (psu_id, signed_at DESC) WHERE signed_at IS NOT NULL;
      CREATE INDEX payment_of_tpp ON payments.payment_view (tpp_id) WHERE NOT hidden;
      COMMENT ON COLUMN payments.payment_view.unsigned_until IS
        'until when it waits for the signature; null once it does not';
      COMMENT ON COLUMN payments.payment_view.hidden IS
        'sandbox: cleared from the view of its TPP; not an event, it says nothing about the payment';

      GRANT SELECT, INSERT, UPDATE ON payments.payment_view TO xs2a_payments;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE payments.payment_view, payments.idempotency_key, payments.log, payments.unsequenced, payments.events',
    );
  }
}
