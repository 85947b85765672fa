import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of due payments and the consumer's cursor in the stream of payments; migration 3 drops both. */
export class Settlement1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE settlement.consumer_cursor (
        consumer text PRIMARY KEY,
        pos bigint NOT NULL,
        event_id uuid,
        trying_pos bigint,
        tries int NOT NULL DEFAULT 0
      );
      CREATE TABLE settlement.dead_letter (
        consumer text NOT NULL,
        pos bigint NOT NULL,
        subject text NOT NULL,
        body text NOT NULL,
        reason text NOT NULL,
        buried_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (consumer, pos)
      );
      GRANT SELECT, INSERT, UPDATE ON settlement.consumer_cursor TO xs2a_settlement;
      GRANT SELECT, INSERT, DELETE ON settlement.dead_letter TO xs2a_settlement;

      CREATE TABLE settlement.due (
        payment_id uuid NOT NULL,
        kind text NOT NULL CHECK (kind IN ('settle', 'book')),
        due_at timestamptz NOT NULL,
        payment_order jsonb CHECK ((payment_order IS NULL) = (kind = 'book')),
        attempts int NOT NULL DEFAULT 0,
        retry_at timestamptz,
        last_failure text,
        PRIMARY KEY (payment_id, kind)
      ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
      CREATE INDEX due_by_time ON settlement.due (kind, due_at, payment_id);
      CREATE INDEX due_postponed ON settlement.due (retry_at) WHERE retry_at IS NOT NULL;
      COMMENT ON COLUMN settlement.due.due_at IS 'by the one clock, which the sandbox can move';
      COMMENT ON COLUMN settlement.due.retry_at IS 'real time; set when it failed, and not tried before';

      GRANT SELECT, INSERT, UPDATE, DELETE ON settlement.due TO xs2a_settlement;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE settlement.due, settlement.dead_letter, settlement.consumer_cursor');
  }
}
