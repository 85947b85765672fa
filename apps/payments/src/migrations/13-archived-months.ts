import { archiveTables } from '@xs2a/event-store/archive/archive.tables';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which months of events were moved to files, and which positions of the log they had. */
export class ArchivedMonths1700000000013 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(archiveTables('payments', 'xs2a_payments'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payments.archived_month, payments.log_archived');
  }
}
