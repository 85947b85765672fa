import { indexUnderLoad } from '@xs2a/migrations/index-under-load';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a TPP sees of its notifications in the sandbox (contract 13). Elsewhere the columns stay null and the index empty. */
export class NotificationTries1796900000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE notifications.notification ADD COLUMN IF NOT EXISTS tries jsonb, ADD COLUMN IF NOT EXISTS signature text;
COMMENT ON COLUMN notifications.notification.tries IS 'the latest tries with their answers, in the sandbox; null elsewhere';
COMMENT ON COLUMN notifications.notification.signature IS 'X-JWS-Signature of the latest try, in the sandbox; null elsewhere';
`);
    await indexUnderLoad(runner, {
      schema: 'notifications',
      table: 'notification',
      name: 'notification_of_tpp',
      columns: '(tpp_id, created_at, pos, part, notification_id) WHERE tries IS NOT NULL',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notifications.notification DROP COLUMN tries, DROP COLUMN signature');
  }
}
