import { logGapTable } from '@xs2a/event-store/streams/log-gaps';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Positions whose events were lost when the database went back to an earlier state. */
export class LogGaps1700000000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(logGapTable('payments', 'xs2a_payments'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payments.log_gap');
  }
}
