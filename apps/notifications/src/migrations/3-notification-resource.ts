import { indexUnderLoad } from '@xs2a/migrations/index-under-load';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The notifications of one payment, consent or signing basket, in every state. */
export class NotificationResource1796600000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await indexUnderLoad(runner, {
      schema: 'notifications',
      table: 'notification',
      name: 'notification_of_resource',
      columns: '(resource_id)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX notifications.notification_of_resource');
  }
}
