import { rebuildTable } from '@xs2a/event-store/projections/read-model-report';
import { copyVerificationTable } from '@xs2a/event-store/verification/copy-verification';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the two tables that the console reads through this service: `read_model_rebuild` with the latest rebuild of each read model,
 * and `copy_verification` with the latest comparison of the log with its JetStream copy.
 */
export class ReadModelRebuilds1797100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(rebuildTable('consents', 'xs2a_consents'));
    await runner.query(copyVerificationTable('consents', 'xs2a_consents'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE consents.read_model_rebuild, consents.copy_verification');
  }
}
