import { archiveProgress } from '@xs2a/event-store/archive/archive.tables';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far the archiving or restoring of a month is, in columns that do not grow with the month. */
export class ArchiveProgress1700000000018 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(archiveProgress('consents'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX consents.log_archived_file;
      ALTER TABLE consents.archived_month DROP COLUMN restoring, DROP COLUMN carried_streams`);
  }
}
