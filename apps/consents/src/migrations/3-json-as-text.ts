import { jsonAsText, jsonAsTree } from '@xs2a/migrations/event-store-history';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events and states are kept as the text that was hashed. */
export class JsonAsText1700000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(jsonAsText('consents', 'consent_view'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(jsonAsTree('consents', 'consent_view'));
  }
}
