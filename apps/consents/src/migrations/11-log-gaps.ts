import { logGapTable } from '@xs2a/event-store/streams/log-gaps';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Positions whose events were lost when the database went back to an earlier state. */
export class LogGaps1700000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(logGapTable('consents', 'xs2a_consents'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE consents.log_gap');
  }
}
