import { privacyLogTable, withoutPrivacyLog } from '@xs2a/event-store/personal-data/privacy-log.tables';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The log of requests to forget or export a person's data, and the mark at a stream that is to be forgotten. */
export class PrivacyLog1700000000019 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(privacyLogTable('consents'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(withoutPrivacyLog('consents'));
  }
}
