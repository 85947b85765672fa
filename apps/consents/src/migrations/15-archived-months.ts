import { archiveTables } from '@xs2a/event-store/archive/archive.tables';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which months of events were moved to files, and which positions of the log they had. */
export class ArchivedMonths1700000000015 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(archiveTables('consents', 'xs2a_consents'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE consents.archived_month, consents.log_archived');
  }
}
