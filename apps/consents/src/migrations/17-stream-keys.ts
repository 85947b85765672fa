import { streamKeyTable } from '@xs2a/event-store/personal-data/stream-keys.tables';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keys under which personal data in events and states are encrypted. */
export class StreamKeys1700000000017 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(streamKeyTable('consents', 'xs2a_consents'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE consents.stream_key');
  }
}
