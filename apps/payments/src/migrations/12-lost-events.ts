import { lostEventTables } from '@xs2a/event-store/streams/lost-events';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Published events that were lost when the database went back, and for which servers they were looked up. */
export class LostEvents1700000000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lostEventTables('payments', 'xs2a_payments'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payments.lost_event, payments.examined_server');
  }
}
