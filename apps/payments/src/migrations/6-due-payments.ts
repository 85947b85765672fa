import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The status view tells when the settlement worker has to act next; stored payments are brought to it. */
export class DuePayments1700000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payments.payment_view ADD COLUMN due_at timestamptz;
      COMMENT ON COLUMN payments.payment_view.due_at IS
        'when the settlement worker has to act, by the one clock, which the sandbox can move; null: it has nothing to do';

      UPDATE payments.payment_view SET due_at = CASE status
          WHEN 'ACSC' THEN (state->>'bookAt')::timestamptz
          ELSE (state#>>'{signed,dueAt}')::timestamptz END
      WHERE status IN ('ACCP', 'ACSP') AND funds_available IS NOT FALSE
        OR status = 'ACSC' AND state->>'entryBooked' = 'false';
      CREATE INDEX payment_due ON payments.payment_view (due_at, stream_id) WHERE due_at IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payments.payment_view DROP COLUMN due_at');
  }
}
