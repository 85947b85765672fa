import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Replaces the worker's table of due payments, which the payments service knows now, by one of the payments under way or
 * failed; drops the consumer's cursor, which JetStream keeps now; and adds to a dead letter the time since which an
 * instance replays it, so that another one can take over.
 */
export class Unfinished1700000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE settlement.unfinished (
        payment_id uuid PRIMARY KEY,
        attempts int NOT NULL DEFAULT 0,
        retry_at timestamptz,
        last_failure text,
        begun_at timestamptz NOT NULL DEFAULT now()
      ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
      COMMENT ON COLUMN settlement.unfinished.retry_at IS 'real time; set when it failed, and not tried before';
      GRANT SELECT, INSERT, UPDATE, DELETE ON settlement.unfinished TO xs2a_settlement;

      INSERT INTO settlement.unfinished (payment_id, attempts, retry_at, last_failure)
      SELECT DISTINCT ON (payment_id) payment_id, attempts, retry_at, last_failure
      FROM settlement.due WHERE attempts > 0 OR kind = 'settle' AND due_at <= now()
      ORDER BY payment_id, attempts DESC;
      DROP TABLE settlement.due, settlement.consumer_cursor;

      ALTER TABLE settlement.dead_letter ADD COLUMN replay_since timestamptz;
      GRANT UPDATE (replay_since) ON settlement.dead_letter TO xs2a_settlement;
    `);
  }

  async down(): Promise<void> {
    throw new Error(
      'What is due, and how far the consumer had come, is not known any more: restore a backup.',
    );
  }
}
