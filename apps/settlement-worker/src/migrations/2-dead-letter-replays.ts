import { deadLetterReplays } from '@xs2a/messaging/consumer.tables';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An operator may ask for a dead letter to be handled again. */
export class DeadLetterReplays1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(deadLetterReplays('settlement', 'xs2a_settlement'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE settlement.dead_letter DROP COLUMN replay, DROP COLUMN replay_tries');
  }
}
