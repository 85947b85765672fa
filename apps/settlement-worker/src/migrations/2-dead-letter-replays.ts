import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An operator may ask for a dead letter to be handled again. */
export class DeadLetterReplays1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE settlement.dead_letter
        ADD COLUMN replay text CHECK (replay IN ('requested', 'under-way', 'failed')),
        ADD COLUMN replay_tries int NOT NULL DEFAULT 0;
      GRANT UPDATE (replay, replay_tries, reason) ON settlement.dead_letter TO xs2a_settlement;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE settlement.dead_letter DROP COLUMN replay, DROP COLUMN replay_tries');
  }
}
