import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The status view of signing baskets, whose events are beside those of payments. */
export class SigningBaskets1700000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE payments.basket_view (
        stream_id uuid PRIMARY KEY,
        version int NOT NULL,
        last_hash bytea NOT NULL,
        state json NOT NULL,
        tpp_id text NOT NULL,
        stage text NOT NULL,
        payment_ids jsonb NOT NULL,
        due_at timestamptz,
        notified boolean
      ) WITH (fillfactor = 60);
      CREATE INDEX basket_due ON payments.basket_view (due_at) WHERE due_at IS NOT NULL;
      CREATE INDEX basket_signed ON payments.basket_view (stream_id) WHERE stage = 'signed';
      CREATE INDEX basket_of_tpp ON payments.basket_view (tpp_id) WHERE stage = 'received';
      COMMENT ON COLUMN payments.basket_view.due_at IS
        'when it is abandoned or expires, or its items are to be updated; null: none of these';
      COMMENT ON COLUMN payments.basket_view.notified IS 'true: its changes are pushed; null: they are not';

      GRANT SELECT, INSERT, UPDATE ON payments.basket_view TO xs2a_payments;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payments.basket_view');
  }
}
