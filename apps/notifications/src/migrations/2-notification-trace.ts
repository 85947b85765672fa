import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The trace to which each notification belongs. */
export class NotificationTrace1795778000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE notifications.notification ADD COLUMN traceparent text;
COMMENT ON COLUMN notifications.notification.traceparent IS 'W3C trace context of the event';
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notifications.notification DROP COLUMN traceparent');
  }
}
