import { consumerTables } from '@xs2a/messaging/consumer.tables';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is due and when, and how far the worker has read the payments' stream. */
export class Settlement1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(consumerTables('settlement', 'xs2a_settlement'));
    await runner.query(`
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
