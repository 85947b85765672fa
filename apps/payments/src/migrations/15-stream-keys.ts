import { streamKeyTable } from '@xs2a/event-store/personal-data/stream-keys.tables';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keys under which personal data in events and states are encrypted. */
export class StreamKeys1700000000015 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(streamKeyTable('payments', 'xs2a_payments'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payments.stream_key');
  }
}
