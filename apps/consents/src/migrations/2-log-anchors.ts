import { logAnchorTable } from '@xs2a/event-store/verification/log-anchor';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Anchors of the consents' log. */
export class LogAnchors1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(logAnchorTable('consents', 'xs2a_consents'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE consents.log_anchor');
  }
}
